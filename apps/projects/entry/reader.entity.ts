import { Column, Entity, PrimaryColumn } from 'typeorm';

export type Side = 'customer' | 'staff';

/** How far a person has read a project, and has been mailed about it. An admin who is also the customer has one row for each side. */
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
   * The number of entries up to `readSeq` that are news for this side. The project's `entriesForCustomer` or `entriesForStaff`,
   * minus this, is the number of unread entries.
   */
  @Column('integer', { name: 'read_entries' })
  readEntries = 0;

  /** Mails about unread messages tell this reader only about entries after this number. */
  @Column('integer', { name: 'mailed_seq' })
  mailedSeq = 0;

  /** The token in the address for replies by mail; created on demand. */
  @Column('text', { name: 'reply_token', nullable: true })
  replyToken: string | null = null;
}
