import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EntryHistoryEntity } from './entry-history.entity.js';

/** The table `entry_history`. */
@Injectable()
export class EntryHistoryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The last `limit` changes of an entry, also of a deleted one, newest first. */
  latest(
    section: string,
    entryId: string,
    limit: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<EntryHistoryEntity[]> {
    return manager.find(EntryHistoryEntity, {
      where: { entryId, section },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  async insert(tx: EntityManager, change: Omit<EntryHistoryEntity, 'changedAt'>): Promise<void> {
    await tx.insert(EntryHistoryEntity, { ...change, changedAt: () => 'clock_timestamp()' });
  }

  /** Maps each section to the time of its last deletion (ISO 8601). Sections without a deletion are left out. */
  async lastDeletions(): Promise<Record<string, string>> {
    const rows = await this.dataSource.sql<{ section: string; deletedAt: Date }[]>`
      SELECT section, max(changed_at) AS "deletedAt" FROM entry_history
      WHERE change = 'deleted' GROUP BY section`;
    return Object.fromEntries(rows.map(({ section, deletedAt }) => [section, deletedAt.toISOString()]));
  }
}
