import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import type { Section } from '#libs/content-model';
import { type EntryBody, EntryEntity } from './entry.entity.js';

/** `position` and `createdAt` are the deleted entry's; `version` follows its last version. */
export type RestoredColumns = Pick<EntryEntity, 'position' | 'version' | 'createdAt'>;

/**
 * `entry_unique_values` has no entity: its rows only reserve the values of unique fields. Callers that change an entry must have locked the site's
 * version.
 */
@Injectable()
export class EntryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order in which the site shows them. */
  list(section: string, manager: EntityManager = this.dataSource.manager): Promise<EntryEntity[]> {
    return manager.find(EntryEntity, { where: { section }, order: { position: 'ASC' } });
  }

  listAll(): Promise<EntryEntity[]> {
    return this.dataSource.manager.find(EntryEntity, { order: { position: 'ASC' } });
  }

  find(
    section: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<EntryEntity | null> {
    return manager.findOneBy(EntryEntity, { id, section });
  }

  count(tx: EntityManager, section: string): Promise<number> {
    return tx.countBy(EntryEntity, { section });
  }

  /** Null if the section is a singleton and already has its entry. Throws DUPLICATE. */
  async insert(
    tx: EntityManager,
    section: Section,
    id: string,
    body: EntryBody,
  ): Promise<EntryEntity | null> {
    const inserted = await tx.sql<unknown[]>`
      INSERT INTO entries (id, section, singleton, body, version, created_at, updated_at)
      SELECT ${id}::uuid, ${section.name}, ${section.kind === 'singleton'}::boolean, ${body}::jsonb, 1, now, now
      FROM clock_timestamp() AS now
      ON CONFLICT (section) WHERE singleton DO NOTHING RETURNING id`;
    if (inserted.length === 0) return null;
    await reserveUniqueValues(tx, section, id, body);
    return tx.findOneByOrFail(EntryEntity, { id });
  }

  /** Inserts a deleted entry at its former place. Null if the section is a singleton and already has its entry. Throws DUPLICATE. */
  async restore(
    tx: EntityManager,
    section: Section,
    id: string,
    body: EntryBody,
    { position, version, createdAt }: RestoredColumns,
  ): Promise<EntryEntity | null> {
    const inserted = await tx.sql<unknown[]>`
      INSERT INTO entries (id, section, singleton, position, body, version, created_at)
      VALUES (${id}, ${section.name}, ${section.kind === 'singleton'}, ${position}, ${body}, ${version}, ${createdAt})
      ON CONFLICT (section) WHERE singleton DO NOTHING RETURNING id`;
    if (inserted.length === 0) return null;
    await reserveUniqueValues(tx, section, id, body);
    return tx.findOneByOrFail(EntryEntity, { id });
  }

  /** Throws DUPLICATE. */
  async update(tx: EntityManager, section: Section, id: string, body: EntryBody): Promise<EntryEntity> {
    await reserveUniqueValues(tx, section, id, body);
    await tx.sql`
      UPDATE entries SET body = ${body}, version = version + 1, updated_at = clock_timestamp() WHERE id = ${id}`;
    return tx.findOneByOrFail(EntryEntity, { id });
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(EntryEntity, { id });
  }

  async setPositions(tx: EntityManager, ids: readonly string[], positions: readonly string[]): Promise<void> {
    await tx.sql`
      UPDATE entries SET position = places.position
      FROM unnest(${ids}::uuid[], ${positions}::bigint[]) AS places (id, position) WHERE entries.id = places.id`;
  }
}

/**
 * Reserves the entry's values of unique fields, in place of those that it had before. Values that differ only in letter case, surrounding white
 * space or Unicode composition count as equal (`digestOf`). Throws DUPLICATE, with the field: the table's primary key refuses a value that another
 * entry has.
 */
async function reserveUniqueValues(
  tx: EntityManager,
  section: Section,
  entryId: string,
  body: EntryBody,
): Promise<void> {
  const uniqueFields = Object.keys(section.fields).filter((field) => section.fields[field]!.unique);
  if (uniqueFields.length === 0) return;
  await tx.sql`DELETE FROM entry_unique_values WHERE entry_id = ${entryId}`;
  for (const field of uniqueFields) {
    const value = body[field];
    if (value === undefined) continue;
    const reserved = await tx.sql<unknown[]>`
      INSERT INTO entry_unique_values (section, field, digest, entry_id)
      VALUES (${section.name}, ${field}, ${digestOf(value)}, ${entryId})
      ON CONFLICT DO NOTHING RETURNING field`;
    if (reserved.length === 0) {
      throw new DomainError('DUPLICATE', {
        fields: [{ field, message: `is already used by another ${section.labels.one}` }],
      });
    }
  }
}

function digestOf(value: string): string {
  return createHash('sha256').update(value.normalize('NFC').trim().toLowerCase()).digest('hex');
}
