import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EntryEntity } from '../entry/entry.entity.js';

/** For the entries that the seed created. They are recognized by the first row of their history, which names no account. */
@Injectable()
export class DemoEntryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Exactly as the seed created them, in the order in which the site shows them. */
  listUnchanged(manager: EntityManager = this.dataSource.manager): Promise<EntryEntity[]> {
    return manager
      .createQueryBuilder(EntryEntity, 'entry')
      .innerJoin(
        'entry_history',
        'created',
        'created.entry_id = entry.id AND created.version = 1 AND created.changed_by IS NULL AND created.body = entry.body',
      )
      .orderBy('entry.position')
      .getMany();
  }

  /** The section of each entry that the seed created, by the entry's id, even if the entry is deleted. Leaves out other ids. */
  async sectionsOf(tx: EntityManager, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.sql<{ id: string; section: string }[]>`
      SELECT entry_id AS id, section FROM entry_history
      WHERE entry_id = ANY (${ids}::uuid[]) AND version = 1 AND changed_by IS NULL`;
    return new Map(rows.map(({ id, section }) => [id, section]));
  }
}
