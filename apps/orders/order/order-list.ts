import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type HandlerInput, type Order, type orderContract, type PageOf } from '#libs/contracts';
import { boundedSearch, containing, listPage, type ListOrder, ListTotals, newestFirst } from '#libs/database';
import { OrderTotals } from '../totals/order-totals.js';
import { OrderEntity } from './order.entity.js';
import { orderView } from './order.view.js';
import { PaymentHolds } from './payment-holds.js';
import type { Person } from './person.js';

type ListInput = HandlerInput<typeof orderContract.list>;

const orders: Record<NonNullable<ListInput['sort']>, Omit<ListOrder<OrderEntity>, 'direction'>> = {
  orderDate: { by: 'orderDate', kind: 'day' },
  customerName: { by: 'nameSorted', kind: 'text' },
  packagePrice: { by: 'priceCents', kind: 'whole' },
};

/**
 * Without an index for it, a search reads every order; a million take less than a second. It counts and then fetches, and both
 * together must end before the caller gives up.
 */
const searchBounds = {
  timeoutMs: 4000,
  advice: 'Enter more of the name or e-mail address, or filter by status.',
};

/** Lists of orders: an admin's, or a customer's own. */
@Injectable()
export class OrderList {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: OrderTotals,
    private readonly searchTotals: ListTotals,
    private readonly holds: PaymentHolds,
  ) {}

  /** INVALID_INPUT for a cursor that is none, UNAVAILABLE for a search that takes too long. */
  async of({ own, ...request }: ListInput, { accountId, reader }: Person): Promise<PageOf<Order>> {
    const whose = reader === 'customer' || own ? { accountId } : {};
    const narrowed = { ...request, ...whose };
    // Flags are not a customer's to see.
    if (reader === 'customer') {
      if (request.flagged) return { items: [], total: 0, nextCursor: null };
      delete narrowed.flagged;
    }
    const { items, ...page } = await (request.search ? this.searched(narrowed) : this.filtered(narrowed));
    const holds = await this.holds.ofAll(this.dataSource.manager, items);
    return {
      ...page,
      items: items.map((order) => orderView(order, reader, holds.get(order.id) ?? null)),
    };
  }

  private async filtered(request: ListInput & { accountId?: string }): Promise<PageOf<OrderEntity>> {
    const chosen = select(this.dataSource.manager, request);
    const ofDays = request.from !== undefined || request.to !== undefined;
    const [total, page] = await Promise.all([
      // One account's orders are few, and its totals know no days.
      request.accountId !== undefined && ofDays ? this.searchTotals.of(chosen) : this.totals.count(request),
      listPage(chosen, request, orderOf(request)),
    ]);
    return { total, ...page };
  }

  private async searched(request: ListInput & { accountId?: string }): Promise<PageOf<OrderEntity>> {
    return boundedSearch(
      this.dataSource,
      request.search,
      async (manager) => {
        const chosen = select(manager, request);
        const total = await this.searchTotals.of(chosen);
        return { total, ...(await listPage(chosen, request, orderOf(request))) };
      },
      searchBounds,
    );
  }
}

function orderOf({ sort, direction, from, to }: ListInput): ListOrder<OrderEntity> {
  // Days are found by the index that is ordered by them.
  const unsorted = from === undefined && to === undefined ? newestFirst : orders.orderDate;
  return { ...(sort ? orders[sort] : unsorted), direction };
}

function select(
  manager: EntityManager,
  request: ListInput & { accountId?: string },
): SelectQueryBuilder<OrderEntity> {
  const { accountId, paymentStatus, orderStatus, flagged, from, to, search } = request;
  const chosen = manager.createQueryBuilder(OrderEntity, 'o');
  if (accountId !== undefined) chosen.andWhere({ accountId });
  if (paymentStatus) chosen.andWhere({ paymentStatus });
  if (orderStatus) chosen.andWhere({ orderStatus });
  if (flagged !== undefined) chosen.andWhere(flagged ? `o.flags <> '{}'` : `o.flags = '{}'`);
  if (from !== undefined) chosen.andWhere('o.orderDate >= :from', { from });
  if (to !== undefined) chosen.andWhere('o.orderDate <= :to', { to });
  if (!search) return chosen;
  if (isUuid(search)) return chosen.andWhere('o.id = :search', { search });
  return chosen.andWhere('o.searchText LIKE lower(:pattern)', { pattern: containing(search) });
}
