import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProjectState, ThreadEntry, ThreadEvent } from '#libs/contracts';

/** A message or an event that everyone in the project may read. */
@Entity('thread_entries')
export class ThreadEntryEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  /** Numbered together with `staff_entries`. */
  @PrimaryColumn('integer')
  seq!: number;

  /** Equal to `seq` at first. Each edit, and the deletion, sets it to the project’s next number (`EntryRepository.takeNumber`). */
  @Column('integer')
  change!: number;

  @Column('text')
  kind!: ThreadEntry['kind'];

  /** Null for an event. */
  @Column('uuid', { name: 'message_id', nullable: true })
  messageId!: string | null;

  @Column('text')
  side!: ThreadEntry['by']['side'];

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  text!: string;

  /** The number of entries up to this one that are news for the customer's side. */
  @Column('integer', { name: 'entries_for_customer' })
  entriesForCustomer!: number;

  /** The number of entries up to this one that are news for staff. */
  @Column('integer', { name: 'entries_for_staff' })
  entriesForStaff!: number;

  /** The kind of event; null for a message. */
  @Column('text', { nullable: true })
  what!: ThreadEvent['what'] | null;

  /** The state of the project after an event that changed it. */
  @Column('text', { nullable: true })
  state!: ProjectState | null;

  @Column('uuid', { name: 'deliverable_id', nullable: true })
  deliverableId!: string | null;

  /** The reason for a change of the state; null also in rows that are older than this column. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The `messageId` of the message that this one answers, and that is shown with it as a quote. */
  @Column('uuid', { name: 'quote_id', nullable: true })
  quoteId!: string | null;

  /** The collapsed part of a reply by mail (`WrittenReply`). */
  @Column('text', { nullable: true })
  folded!: string | null;

  @Column('boolean', { name: 'by_mail' })
  byMail!: boolean;

  @Column('timestamptz', { name: 'edited_at', nullable: true })
  editedAt: Date | null = null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null = null;
}
