import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { HistoryEntry } from '#libs/contracts';
import type { EntryBody } from './entry.entity.js';

/** What a record was after a change. The first row is its creation, so that every state can be brought back. */
@Entity('entry_history')
export class EntryHistory {
  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** The record's version after the change; a deletion has the one that would have come next. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('text')
  section!: string;

  @Column('text')
  change!: HistoryEntry['change'];

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;

  /** The account that changed it; null for one of our own processes. */
  @Column('text', { name: 'changed_by', nullable: true })
  changedBy!: string | null;

  /** Their address at that time; null also in rows from before it was kept. */
  @Column('text', { name: 'changed_by_email', nullable: true })
  changedByEmail!: string | null;

  /** Of a deleted record: its place among the others. */
  @Column('bigint', { nullable: true })
  position!: string | null;

  /** Of a deleted record: when it was made. */
  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt!: Date | null;

  /** After the change; of a deleted record, the last it had. */
  @Column('jsonb')
  body!: EntryBody;
}

export function toHistoryEntry(row: EntryHistory): HistoryEntry {
  const { version, change, changedAt, changedBy, changedByEmail, body } = row;
  return { version, change, changedAt: changedAt.toISOString(), changedBy, changedByEmail, body };
}
