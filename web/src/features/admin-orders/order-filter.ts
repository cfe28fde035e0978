import type { Order } from '#libs/contracts';
import { oneOf, useListFilter } from '../../workspace/list-filter.js';
import { useAddressParams } from '../../workspace/address-params.js';
import type { FilterOf } from '../../workspace/paging.js';

/** In display order. */
export const paymentStatuses: Record<Order['paymentStatus'], true> = {
  UnPaid: true,
  Paid: true,
  Cancelled: true,
};
export const orderStatuses: Record<Order['orderStatus'], true> = { Pending: true, Delivered: true };

/** Newest first. */
const defaultSort = { sort: 'orderDate', direction: 'desc' } as const;
const sortableColumns = { orderDate: true, customerName: true, packagePrice: true };

export type OrderFilter = ReturnType<typeof useOrderFilter>;

/** Kept in the address. `query` has the filters and the sort order for the API. */
export function useOrderFilter() {
  const filter = useListFilter(['search', 'paymentStatus', 'orderStatus', 'flagged', 'from', 'to']);
  const [address, changeParams] = useAddressParams();
  const by = oneOf(sortableColumns, address.get('sort') ?? undefined) ?? defaultSort.sort;
  const direction = address.get('direction') === 'asc' ? 'asc' : defaultSort.direction;
  const sortBy = (column: string) =>
    changeParams({
      page: null,
      sort: column,
      direction: column === by && direction === 'desc' ? 'asc' : 'desc',
    });
  const { paymentStatus, orderStatus, flagged, ...others } = filter.values;
  const query: FilterOf<'GET /orders'> = {
    ...others,
    paymentStatus: oneOf(paymentStatuses, paymentStatus),
    orderStatus: oneOf(orderStatuses, orderStatus),
    flagged: flagged === 'true' || (flagged === 'false' ? false : undefined),
    sort: by,
    direction,
  };
  return { ...filter, sort: { by, descending: direction === 'desc', change: sortBy }, query };
}
