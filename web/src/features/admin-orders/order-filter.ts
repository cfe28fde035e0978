import { useSearchParams } from 'react-router-dom';
import type { Sort } from '../../workspace/DataTable.js';

/** What the list of orders can be narrowed by. Kept in the address: Back, a reload and a copied link show the same. */
const filters = ['search', 'paymentStatus', 'orderStatus', 'flagged', 'from', 'to'] as const;
export type Filter = (typeof filters)[number];

export interface OrderFilter {
  value(filter: Filter): string;
  /** Empty takes it away. Starts again at the first page. */
  set(filter: Filter, value: string): void;
  clear(): void;
  active: boolean;
  sort: Sort;
  /** Of the API, for this filter and order. */
  path: string;
  /** The same as a file. */
  exportPath: string;
}

/** Newest first, as the specification has it. */
const byDefault = { sort: 'orderDate', direction: 'desc' };

export function useOrderFilter(): OrderFilter {
  const [search, setSearch] = useSearchParams();
  const value = (filter: Filter) => search.get(filter) ?? '';
  const by = search.get('sort') ?? byDefault.sort;
  const direction = search.get('direction') === 'asc' ? 'asc' : byDefault.direction;

  function change(values: Record<string, string>): void {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('page');
        for (const [name, to] of Object.entries(values)) {
          if (to) after.set(name, to);
          else after.delete(name);
        }
        return after;
      },
      { preventScrollReset: true, replace: true },
    );
  }

  const query = new URLSearchParams({ sort: by, direction });
  for (const filter of filters) if (value(filter)) query.set(filter, value(filter));
  return {
    value,
    set: (filter, to) => change({ [filter]: to }),
    clear: () => change(Object.fromEntries(filters.map((filter) => [filter, '']))),
    active: filters.some(value),
    sort: {
      by,
      descending: direction === 'desc',
      change: (to) => change({ sort: to, direction: to === by && direction === 'desc' ? 'asc' : 'desc' }),
    },
    path: `/orders?${query.toString()}`,
    exportPath: `/orders/export?${query.toString()}`,
  };
}
