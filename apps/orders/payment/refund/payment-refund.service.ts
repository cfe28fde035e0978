import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  type OrderRefunds,
  paymentContract,
  type Refund,
} from '#libs/contracts';
import { AuditTrail, Inbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { centsOf, dollarsOf } from '../../money/price.js';
import { OrderChangeService } from '../../order/order-change.service.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { OrderRepository } from '../../order/order.repository.js';
import { orderName } from '../../order/order.view.js';
import { personOf } from '../../access/person.js';
import type { PaymentAttemptEntity } from '../attempt/payment-attempt.entity.js';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import { PaymentEventRepository } from '../payment-event.repository.js';
import { PaymentProviders } from '../payment-providers.js';
import { centsLeftByTxnId } from '../provider-state.js';
import { PaymentRefundEntity } from './payment-refund.entity.js';
import { PaymentRefundRepository } from './payment-refund.repository.js';

type Input = HandlerInputs<typeof paymentContract>;

/** By `txnId`, the provider’s id of the payment. */
type RefundablePayments = Map<string, { attempt: PaymentAttemptEntity; refundableCents: number }>;

@Injectable()
export class PaymentRefundService {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly attempts: PaymentAttemptRepository,
    private readonly events: PaymentEventRepository,
    private readonly refunds: PaymentRefundRepository,
    private readonly providers: PaymentProviders,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** `listener` is called after each refund request that this process handles. */
  onRequested(listener: () => void): void {
    this.listeners.add(listener);
  }

  @Handles(paymentContract.listRefunds)
  async listOfOrder({ id }: Input['listRefunds']): Promise<OrderRefunds> {
    const order = await this.orders.find(id);
    if (!order) throw new DomainError('NOT_FOUND');
    const { manager } = this.dataSource;
    const refunds = await this.refunds.list(manager, id);
    const refundable = await this.findRefundablePayments(manager, id);
    return {
      refundable: [...refundable].map(([txnId, { refundableCents }]) => ({
        txnId,
        amount: dollarsOf(refundableCents),
      })),
      refunds: refunds.map(view),
    };
  }

  /** Throws NOT_FOUND, INVALID_TRANSITION. The order is locked, so two requests cannot refund more than was paid. */
  @Handles(paymentContract.requestRefund)
  async request({ id, txnId, amount, reason }: Input['requestRefund'], context: RequestContext) {
    const refund = await this.inbox.once(context, async (tx) => {
      const order = await this.orders.lock(tx, id);
      if (!order) throw new DomainError('NOT_FOUND');
      if ((await this.refunds.count(tx, id)) >= refundLimit)
        throw refusal(`An order can have at most ${refundLimit} refunds. Refund the rest at the provider.`);
      const payment = (await this.findRefundablePayments(tx, id)).get(txnId);
      if (!payment) throw refusal('This payment can’t be refunded here.');
      const cents = centsOf(amount);
      if (cents > payment.refundableCents)
        throw refusal(`At most $${dollarsOf(payment.refundableCents)} of this payment can be refunded.`);
      return this.store(tx, context, order, { attempt: payment.attempt, txnId, cents, reason });
    });
    for (const notify of this.listeners) notify();
    return refund;
  }

  private async store(
    tx: EntityManager,
    { actor, traceparent }: RequestContext,
    order: OrderEntity,
    terms: { attempt: PaymentAttemptEntity; txnId: string; cents: number; reason: string },
  ): Promise<Refund> {
    const { attempt, txnId, cents: amountCents, reason } = terms;
    const { email: requestedBy, accountId: requestedByAccount } = personOf(actor);
    const now = this.clock.now();
    const refund = Object.assign(new PaymentRefundEntity(), {
      ...{ id: uuidv7(), orderId: order.id, attemptId: attempt.id, txnId, amountCents },
      ...{ currency: attempt.currency, reason, requestedBy, requestedByAccount },
      ...{ requestedAt: now, nextTryAt: now },
    });
    await this.refunds.insert(tx, refund);
    const amount = `${dollarsOf(amountCents)} ${attempt.currency}`;
    const { label } = this.providers.get(attempt.provider);
    const text = `We asked ${label} to refund ${amount}: ${reason}`;
    const evidence = { txnId, amount };
    const entry = { kind: 'refund', text, by: requestedBy, byAccount: requestedByAccount, evidence } as const;
    await this.changes.apply(tx, order, {}, [entry], { traceparent });
    await this.audit.record(tx, actor, {
      ...{ section: 'order', recordId: order.id, name: orderName(order), change: 'updated' },
      // Without the reason, which may name the customer and is erased together with their account.
      ...{ before: {}, after: { refund: amount } },
    });
    return view(refund);
  }

  /**
   * What is left of each payment, less the refunds that are under way. Leaves out disputed amounts, which the provider pays back if the buyer wins
   * the dispute. A provider may still refuse a refund, such as a partial one during a dispute.
   */
  private async findRefundablePayments(manager: EntityManager, orderId: string): Promise<RefundablePayments> {
    const refundable: RefundablePayments = new Map();
    const underWay = await this.refunds.sumCentsUnderWay(manager, orderId);
    for (const [txnId, left] of centsLeftByTxnId(await this.events.list(manager, orderId))) {
      const attempt = await this.attempts.findByTransaction(manager, orderId, txnId);
      if (!attempt || !this.providers.get(attempt.provider).canRefund) continue;
      const refundableCents = left - (underWay.get(txnId) ?? 0);
      if (refundableCents > 0) refundable.set(txnId, { attempt, refundableCents });
    }
    return refundable;
  }
}

/** Of one order, including refused ones. */
const refundLimit = 100;

function refusal(sentence: string): DomainError {
  return new DomainError('INVALID_TRANSITION', {}, sentence);
}

function view(refund: PaymentRefundEntity): Refund {
  const { id, txnId, amountCents, reason, requestedBy, requestedAt, state, problem } = refund;
  return {
    ...{ _id: id, txnId, amount: dollarsOf(amountCents), reason, requestedBy },
    ...{ requestedAt: requestedAt.toISOString(), state, problem },
  };
}
