import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EntryHistoryEntity } from './entry-history.entity.js';

@Injectable()
export class EntryHistoryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. A deleted entry keeps its history. */
  listLatest(
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

  /** ISO 8601, by section. Sections without a deletion are left out. */
  async lastDeletionTimes(): Promise<Record<string, string>> {
    const rows = await this.dataSource.sql<{ section: string; deletedAt: Date }[]>`
      SELECT section, max(changed_at) AS "deletedAt" FROM entry_history
      WHERE change = 'deleted' GROUP BY section`;
    return Object.fromEntries(rows.map(({ section, deletedAt }) => [section, deletedAt.toISOString()]));
  }
}
