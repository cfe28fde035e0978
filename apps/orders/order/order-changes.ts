import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  orderCancelled,
  orderDelivered,
  orderPaid,
  orderPaymentFailed,
  orderRefunded,
  paymentFlagged,
} from '#libs/contracts';
import { Outbox } from '#libs/database';
import { OrderTimeline, type TimelineInput } from '../timeline/order-timeline.js';
import { type Consequence, type OrderChange, transition } from './order-transition.js';
import { OrderEntity } from './order.entity.js';
import { dollarsOf } from '../money/price.js';

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
    for (const consequence of became) await this.announce(tx, order, consequence, origin);
    if (raised.length > 0)
      await this.outbox.append(tx, paymentFlagged, { ...happened, flags: raised }, origin);
    return true;
  }

  private announce(
    tx: EntityManager,
    { id: orderId, accountId, version, paymentState }: OrderEntity,
    consequence: Consequence,
    origin: Origin,
  ): Promise<unknown> {
    const happened = { orderId, accountId, version };
    switch (consequence.event) {
      case 'paid':
        return this.outbox.append(tx, orderPaid, { ...happened, reason: consequence.reason }, origin);
      case 'cancelled': {
        const { by } = consequence;
        return this.outbox.append(tx, orderCancelled, { ...happened, paymentState, by }, origin);
      }
      case 'refunded': {
        const amount = dollarsOf(consequence.cents);
        return this.outbox.append(tx, orderRefunded, { ...happened, amount }, origin);
      }
      case 'paymentFailed':
        return this.outbox.append(tx, orderPaymentFailed, happened, origin);
      case 'delivered':
        return this.outbox.append(tx, orderDelivered, happened, origin);
    }
  }
}

function factsOf(order: OrderEntity) {
  const { providerState, payments, refundedCents, disputedCents, paidTwice, override } = order;
  const { cancelled, cancelledBy, orderStatus, paymentStatus, paymentState, flags } = order;
  const provider = { providerState, payments, refundedCents, disputedCents, paidTwice };
  return { ...provider, override, cancelled, cancelledBy, orderStatus, paymentStatus, paymentState, flags };
}
