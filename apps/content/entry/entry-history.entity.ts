import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { HistoryEntry } from '#libs/contracts';
import type { EntryBody } from './entry.entity.js';

/** A record after a change. The first row of a record is its creation. */
@Entity('entry_history')
export class EntryHistoryEntity {
  @PrimaryColumn('uuid', { name: 'entry_id' })
  entryId!: string;

  /** The record's version after the change; a deletion increments it, too. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('text')
  section!: string;

  @Column('text')
  change!: HistoryEntry['change'];

  @Column('timestamptz', { name: 'changed_at' })
  changedAt!: Date;

  /** The id of the account that changed it; null for our own processes. */
  @Column('text', { name: 'changed_by', nullable: true })
  changedBy!: string | null;

  /** The account's e-mail address at that time; null for our own processes, and in the oldest rows. */
  @Column('text', { name: 'changed_by_email', nullable: true })
  changedByEmail!: string | null;

  /** Set for a deletion, except in the oldest rows: the record's position. */
  @Column('bigint', { nullable: true })
  position!: string | null;

  /** Set for a deletion, except in the oldest rows: when the record was created. */
  @Column('timestamptz', { name: 'created_at', nullable: true })
  createdAt!: Date | null;

  /** The body after the change; for a deletion, the body before it. */
  @Column('jsonb')
  body!: EntryBody;
}

export function toHistoryEntry(row: EntryHistoryEntity): HistoryEntry {
  const { version, change, changedAt, changedBy, changedByEmail, body } = row;
  return { version, change, changedAt: changedAt.toISOString(), changedBy, changedByEmail, body };
}
