import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { orderCancelled, orderDelivered, orderPaid, paymentFlagged } from '#libs/contracts';
import { Outbox } from '#libs/database';
import { OrderTimeline, type TimelineInput } from '../timeline/order-timeline.js';
import { type OrderChange, transition } from './order-transition.js';
import { OrderEntity } from './order.entity.js';

interface Origin {
  traceparent?: string;
}

/** The only way in which an order that exists changes. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly timeline: OrderTimeline,
  ) {}

  /** The order, locked until the transaction ends; null for an unknown or malformed id. */
  async lock(tx: EntityManager, id: string): Promise<OrderEntity | null> {
    if (!isUuid(id)) return null;
    return tx.findOne(OrderEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * Makes the change to a locked order and to `order` itself: derived columns, flags that follow, the version if anything changed, and
   * an event for whatever has come true by it. The timeline entries are kept in any case. Returns whether anything changed.
   */
  async apply(
    tx: EntityManager,
    order: OrderEntity,
    change: OrderChange,
    entries: TimelineInput[],
    origin: Origin = {},
  ): Promise<boolean> {
    await this.timeline.append(tx, order.id, entries);
    const { facts, modified, raised, became } = transition(factsOf(order), change);
    if (!modified) return false;
    const stored = { ...facts, version: order.version + 1, updatedAt: new Date() };
    await tx.update(OrderEntity, order.id, stored);
    Object.assign(order, stored);
    const happened = { orderId: order.id, accountId: order.accountId, version: order.version };
    for (const event of became) {
      if (event === 'paid') await this.outbox.append(tx, orderPaid, happened, origin);
      if (event === 'delivered') await this.outbox.append(tx, orderDelivered, happened, origin);
      if (event === 'cancelled') {
        const { paymentState } = facts;
        await this.outbox.append(tx, orderCancelled, { ...happened, paymentState }, origin);
      }
    }
    if (raised.length > 0)
      await this.outbox.append(tx, paymentFlagged, { ...happened, flags: raised }, origin);
    return true;
  }
}

function factsOf(order: OrderEntity) {
  const { providerState, payments, refundedCents, paidTwice, override } = order;
  const { cancelled, orderStatus, paymentStatus, paymentState, flags } = order;
  const provider = { providerState, payments, refundedCents, paidTwice };
  return { ...provider, override, cancelled, orderStatus, paymentStatus, paymentState, flags };
}
