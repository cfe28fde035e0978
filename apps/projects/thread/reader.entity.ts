import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose side somebody reads and writes for. */
export type Side = 'customer' | 'staff';

/** What somebody has read of a thread, and was mailed of it. An admin who is the customer as well has two. */
@Entity('readers')
export class ReaderEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('text')
  side!: Side;

  @Column('integer', { name: 'read_seq' })
  readSeq = 0;

  /** How many of the entries up to `readSeq` were new to this side. What is unread is the difference to the project's count. */
  @Column('integer', { name: 'read_entries' })
  readEntries = 0;

  @Column('integer', { name: 'mailed_seq' })
  mailedSeq = 0;

  /** In the address that replies by mail go to; created on demand. */
  @Column('text', { name: 'reply_token', nullable: true })
  replyToken: string | null = null;
}
