import { useSearchParams } from 'react-router-dom';
import type { Order } from '#libs/contracts';
import type { Sort } from '../../workspace/DataTable.js';
import { oneOf } from '../../workspace/list-filter.js';
import type { FilterOf } from '../../workspace/paging.js';

/**
 * The filters of the order list. Kept in the address, so that Back, a reload and a copied link show the same.
 */
const filters = ['search', 'paymentStatus', 'orderStatus', 'flagged', 'from', 'to'] as const;
export type Filter = (typeof filters)[number];

/** The choices of payment status, in display order. */
export const paymentStatuses: Record<Order['paymentStatus'], true> = {
  UnPaid: true,
  Paid: true,
  Cancelled: true,
};
export const orderStatuses: Record<Order['orderStatus'], true> = { Pending: true, Delivered: true };

export interface OrderFilter {
  value(filter: Filter): string;
  /** An empty value removes the filter. Goes back to the first page. */
  set(filter: Filter, value: string): void;
  clear(): void;
  active: boolean;
  sort: Sort;
  /** The filter and the sort order as the API's query. */
  query: FilterOf<'GET /orders'>;
}

/** Newest first, as documented. */
const byDefault = { sort: 'orderDate', direction: 'desc' } as const;
/** The columns that can be sorted by. */
const sortings = { orderDate: true, customerName: true, packagePrice: true };

export function useOrderFilter(): OrderFilter {
  const [search, setSearch] = useSearchParams();
  const value = (name: Filter | 'sort') => search.get(name) ?? '';
  const by = oneOf(sortings, value('sort')) ?? byDefault.sort;
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

  const flagged = oneOf({ true: true, false: true }, value('flagged'));
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
    query: {
      search: value('search') || undefined,
      paymentStatus: oneOf(paymentStatuses, value('paymentStatus')),
      orderStatus: oneOf(orderStatuses, value('orderStatus')),
      flagged: flagged && flagged === 'true',
      from: value('from') || undefined,
      to: value('to') || undefined,
      sort: by,
      direction,
    },
  };
}
