import { Injectable } from '@nestjs/common';
import { DataSource, type EntityTarget, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import type { PageOf, PageRequest } from '#libs/contracts';
import { boundedSearch, type SearchBounds } from './bounded-search.js';
import { containing, type ListOrder, listPage } from './list-page.js';
import { ListTotals } from './list-totals.js';

export interface RecordList<R> {
  order: ListOrder<R>;
  searched: readonly (keyof R & string)[];
  /** Adds conditions to the query, in which the entity has the alias `record`. */
  filter?: (records: SelectQueryBuilder<R & ObjectLiteral>) => void;
  bounds?: SearchBounds;
}

@Injectable()
export class RecordLists {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: ListTotals,
  ) {}

  /**
   * Throws INVALID_INPUT if the cursor is malformed or comes from a list that is sorted by another property; UNAVAILABLE if a search takes too long.
   */
  page<R extends ObjectLiteral & { id: string }>(
    entity: EntityTarget<R>,
    { search, ...request }: PageRequest & { search?: string },
    { order, searched, filter, bounds }: RecordList<R>,
  ): Promise<PageOf<R>> {
    return boundedSearch(
      this.dataSource,
      search,
      async (manager) => {
        const records = manager.createQueryBuilder(entity, 'record');
        filter?.(records);
        if (search) {
          const conditions = searched.map((field) => `record.${field} ILIKE :pattern`);
          records.andWhere(`(${conditions.join(' OR ')})`, { pattern: containing(search) });
        }
        const total = await this.totals.count(records);
        return { total, ...(await listPage(records, request, order)) };
      },
      bounds,
    );
  }
}
