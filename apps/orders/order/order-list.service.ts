import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type HandlerInputs, type Order, orderContract, type PageOf } from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { OrderTotalsService } from '../totals/order-totals.service.js';
import type { OrderEntity } from './order.entity.js';
import { OrderRepository, type OrderSelection } from './order.repository.js';
import { orderView } from './order.view.js';
import { PaymentHoldRepository } from './payment-hold.repository.js';
import { personOf } from './person.js';

type Input = HandlerInputs<typeof orderContract>;

/** Lists of all orders for admins, and of their own orders for customers. */
@Injectable()
export class OrderListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly totals: OrderTotalsService,
    private readonly holds: PaymentHoldRepository,
  ) {}

  /** INVALID_INPUT for an invalid cursor, UNAVAILABLE for a search that takes too long. */
  @Handles(orderContract.listOrders)
  async list(
    { own, customer, ...request }: Input['listOrders'],
    { actor }: RequestContext,
  ): Promise<PageOf<Order>> {
    const { accountId, reader } = personOf(actor);
    const of = reader === 'customer' || own ? accountId : customer;
    const selection: OrderSelection = { ...request, ...(of !== undefined && { accountId: of }) };
    // Customers do not see flags.
    if (reader === 'customer') {
      if (request.flagged) return { items: [], total: 0, nextCursor: null };
      delete selection.flagged;
    }
    const { items, ...page } = await (request.search ? this.orders.search(selection) : this.page(selection));
    const holds = await this.holds.findAll(this.dataSource.manager, items);
    return {
      ...page,
      items: items.map((order) => orderView(order, reader, holds.get(order.id) ?? null)),
    };
  }

  private async page(selection: OrderSelection): Promise<PageOf<OrderEntity>> {
    const { accountId, subscription, from, to } = selection;
    // One account's orders are few, and its totals are not kept by day.
    const isCounted =
      subscription !== undefined || (accountId !== undefined && (from !== undefined || to !== undefined));
    const [total, page] = await Promise.all([
      isCounted ? this.orders.count(selection) : this.totals.count(selection),
      this.orders.page(selection),
    ]);
    return { total, ...page };
  }
}
