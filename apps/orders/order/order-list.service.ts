import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type HandlerInputs, type Order, orderContract, type PageOf } from '#libs/contracts';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf } from '../access/person.js';
import { RecordAccess } from '../access/record-access.js';
import { OrderTotalsService } from '../totals/order-totals.service.js';
import type { OrderEntity } from './order.entity.js';
import { OrderRepository, type OrderSelection } from './order.repository.js';
import { orderView } from './order.view.js';
import { PaymentHoldRepository } from './payment-hold.repository.js';

type Input = HandlerInputs<typeof orderContract>;

@Injectable()
export class OrderListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordAccess,
    private readonly orders: OrderRepository,
    private readonly totals: OrderTotalsService,
    private readonly holds: PaymentHoldRepository,
  ) {}

  @Handles(orderContract.listOrders)
  async list(
    { own, customer, ...request }: Input['listOrders'],
    { actor }: RequestContext,
  ): Promise<PageOf<Order>> {
    const person = personOf(actor);
    const accountIds = await this.access.ownerIdsFor(person, { own, customer });
    const selection: OrderSelection = { ...request, ...(accountIds && { accountIds }) };
    // Customers do not see flags.
    if (person.role === 'customer') {
      if (request.flagged) return { items: [], total: 0, nextCursor: null };
      delete selection.flagged;
    }
    const { items, ...page } = await (request.search
      ? this.orders.search(selection)
      : this.listWithTotal(selection));
    const holds = await this.holds.findAll(this.dataSource.manager, items);
    return {
      ...page,
      items: items.map((order) => orderView(order, person.role, holds.get(order.id) ?? null)),
    };
  }

  private async listWithTotal(selection: OrderSelection): Promise<PageOf<OrderEntity>> {
    const { accountIds, subscription, from, to } = selection;
    // No totals are kept for a subscription, or for the days of an account. Such lists are short enough to be counted.
    const hasNoTotals =
      subscription !== undefined || (accountIds !== undefined && (from !== undefined || to !== undefined));
    const [total, page] = await Promise.all([
      hasNoTotals ? this.orders.count(selection) : this.totals.count(selection),
      this.orders.list(selection),
    ]);
    return { total, ...page };
  }
}
