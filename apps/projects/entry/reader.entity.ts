import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The side for which somebody reads and writes. */
export type Side = 'customer' | 'staff';

/** How far somebody has read a thread, and up to where they were mailed about it. An admin who is also the customer has one row for each side. */
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

  /**
   * How many of the entries up to `readSeq` counted as new to this side when they were added. The number of unread entries is the project's
   * `entriesForCustomer` or `entriesForStaff` minus this.
   */
  @Column('integer', { name: 'read_entries' })
  readEntries = 0;

  @Column('integer', { name: 'mailed_seq' })
  mailedSeq = 0;

  /** The token in the address that replies by mail go to; created on demand. */
  @Column('text', { name: 'reply_token', nullable: true })
  replyToken: string | null = null;
}
