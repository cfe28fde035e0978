import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  orderCancelled,
  orderDelivered,
  orderPaid,
  orderPaymentFailed,
  orderRefunded,
  orderReopened,
  paymentFlagged,
} from '#libs/contracts';
import { type EventOrigin, Outbox } from '#libs/database';
import type { OrderBuyer } from '../invoice-task/invoice-task.entity.js';
import { InvoiceTaskRepository } from '../invoice-task/invoice-task.repository.js';
import { dollarsOf } from '../money/price.js';
import { SellerService } from '../site/seller.service.js';
import { totalCents } from '../money/tax.js';
import { OrderTimelineRepository, type TimelineInput } from '../timeline/order-timeline.repository.js';
import { type BilledFacts, billingSteps } from './order-billing.js';
import { type Consequence, type OrderChange, type OrderFacts, transition } from './order-transition.js';
import type { OrderEntity } from './order.entity.js';
import { OrderRepository } from './order.repository.js';

/** Only this service changes the payment and the status of existing orders, so that every change has its events, flags and timeline entries. */
@Injectable()
export class OrderChangeService {
  constructor(
    private readonly outbox: Outbox,
    private readonly orders: OrderRepository,
    private readonly timeline: OrderTimelineRepository,
    private readonly sellers: SellerService,
    private readonly invoiceTasks: InvoiceTaskRepository,
  ) {}

  /**
   * Applies a change to a locked order, in the database and in the object `order`. Always stores the timeline entries. Stores invoice tasks, events
   * and a new version only if the change modifies the order. Returns whether it does.
   */
  async apply(
    tx: EntityManager,
    order: OrderEntity,
    change: OrderChange,
    entries: TimelineInput[],
    origin: EventOrigin = {},
  ): Promise<boolean> {
    const { facts, modified, raisedFlags, consequences } = transition(factsOf(order), change);
    const seller = consequences.some(isNewlyPaid) ? await this.sellers.currentName(tx) : null;
    await this.timeline.append(tx, order.id, seller === null ? entries : entries.map(withSeller(seller)));
    if (!modified) return false;
    await this.addInvoiceTasks(tx, order, facts, change.moneyMovement);
    await this.orders.update(tx, order, { ...facts, ...(seller !== null && { seller }) });
    const commonPayload = { orderId: order.id, accountId: order.accountId, version: order.version };
    for (const consequence of consequences) await this.announce(tx, order, consequence, origin);
    if (raisedFlags.length > 0)
      await this.outbox.append(tx, paymentFlagged, { ...commonPayload, flags: raisedFlags }, origin);
    return true;
  }

  /** `order` is still as it was before the change. */
  private async addInvoiceTasks(
    tx: EntityManager,
    order: OrderEntity,
    after: OrderFacts,
    movement: OrderChange['moneyMovement'],
  ): Promise<void> {
    const steps = billingSteps(billedFacts(order, factsOf(order)), billedFacts(order, after));
    for (const [index, step] of steps.entries()) {
      // The movement belongs to the first task, unless an override caused that task. A second task is for a refund or dispute reported earlier.
      const moneyMovement = (index === 0 && step.cause !== 'override' && movement) || null;
      await this.invoiceTasks.add(tx, { orderId: order.id, ...step, moneyMovement, buyer: buyerOf(order) });
    }
  }

  private announce(
    tx: EntityManager,
    { id: orderId, accountId, version, paymentState }: OrderEntity,
    consequence: Consequence,
    origin: EventOrigin,
  ): Promise<unknown> {
    const commonPayload = { orderId, accountId, version };
    switch (consequence.event) {
      case 'paid':
        return this.outbox.append(tx, orderPaid, { ...commonPayload, reason: consequence.reason }, origin);
      case 'cancelled': {
        const { by } = consequence;
        return this.outbox.append(tx, orderCancelled, { ...commonPayload, paymentState, by }, origin);
      }
      case 'refunded': {
        const amount = dollarsOf(consequence.cents);
        return this.outbox.append(tx, orderRefunded, { ...commonPayload, amount }, origin);
      }
      case 'paymentFailed':
        return this.outbox.append(tx, orderPaymentFailed, commonPayload, origin);
      case 'delivered':
        return this.outbox.append(tx, orderDelivered, commonPayload, origin);
      case 'reopened':
        return this.outbox.append(tx, orderReopened, commonPayload, origin);
    }
  }
}

/** If a dispute was closed, the order had been paid before. */
const isNewlyPaid = (consequence: Consequence) =>
  consequence.event === 'paid' && consequence.reason !== 'dispute_closed';

const withSeller = (seller: string) => (entry: TimelineInput) => ({
  ...entry,
  evidence: { ...entry.evidence, seller },
});

const billedFacts = (order: OrderEntity, facts: OrderFacts): BilledFacts => ({
  ...facts,
  costCents: totalCents(order),
});

function buyerOf(order: OrderEntity): OrderBuyer {
  const { customerName: name, customerEmail: email, customerAddress: address } = order;
  return { name, email, address, country: order.customerCountry, billing: order.billing };
}

function factsOf(order: OrderEntity): OrderFacts {
  const { providerState, payments, refundedCents, disputedCents, paidTwice, override } = order;
  const { cancelled, cancelledBy, orderStatus, paymentStatus, paymentState, flags } = order;
  const provider = { providerState, payments, refundedCents, disputedCents, paidTwice };
  return { ...provider, override, cancelled, cancelledBy, orderStatus, paymentStatus, paymentState, flags };
}
