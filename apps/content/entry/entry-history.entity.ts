import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { HistoryEntry } from '#libs/contracts';
import type { EntryBody } from './entry.entity.js';

@Entity('entry_history')
export class EntryHistoryEntity {
  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** The version after the change; a deletion increments it, too. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('text')
  section!: string;

  @Column('text')
  change!: HistoryEntry['change'];

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;

  /** An account's id; null for our own processes. */
  @Column('text', { name: 'changed_by', nullable: true })
  changedBy!: string | null;

  /** The account's address at that time; null for our own processes, and in the oldest rows. */
  @Column('text', { name: 'changed_by_email', nullable: true })
  changedByEmail!: string | null;

  /** The position of a deleted record; null for other changes, and in the oldest rows. */
  @Column('bigint', { nullable: true })
  position!: string | null;

  /** When a deleted record was created; null for other changes, and in the oldest rows. */
  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt!: Date | null;

  /** The body after the change; for a deletion, before it. */
  @Column('jsonb')
  body!: EntryBody;
}

export function toHistoryEntry(row: EntryHistoryEntity): HistoryEntry {
  const { version, change, changedAt, changedBy, changedByEmail, body } = row;
  return { version, change, changedAt: changedAt.toISOString(), changedBy, changedByEmail, body };
}
