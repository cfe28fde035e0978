import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StaffThreadEntry } from '#libs/contracts';

/** Notes and events that only staff may read. Calls by customers never read this table. */
@Entity('staff_entries')
export class StaffEntryEntity {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId!: string;

  /** Numbered together with `thread_entries`. */
  @PrimaryColumn('integer')
  seq!: number;

  /** As in `ThreadEntryEntity`. */
  @Column('integer')
  change!: number;

  @Column('text')
  kind!: Extract<StaffThreadEntry['kind'], 'note' | 'staff_event'>;

  /** Null for an event. */
  @Column('uuid', { name: 'note_id', nullable: true })
  noteId!: string | null;

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  @Column('text')
  name!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  text!: string;

  @Column('timestamptz', { name: 'edited_at', nullable: true })
  editedAt: Date | null = null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null = null;
}
