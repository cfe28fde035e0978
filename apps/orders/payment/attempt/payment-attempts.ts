import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { type CheckoutForm, DomainError, type PaymentHold } from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { OrderChanges } from '../../order/order-changes.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { isPayable } from '../../order/order-payment.js';
import { PaymentHolds } from '../../order/payment-holds.js';
import { PaypalEmailService } from '../../paypal-email/paypal-email.service.js';
import { PaymentProvider } from '../payment-provider.js';
import { dollarsOf } from '../../money/price.js';

import { PaymentAttemptEntity } from './payment-attempt.entity.js';

const currency = 'USD';
const tokenBytes = 16;
/** A second click within this time continues the first one's attempt; a checkout page lives no longer. */
const reuseMs = 3 * 60 * 60 * 1000;

/** Sends customers to the checkout, and finds the attempt that a notice speaks of. */
@Injectable()
export class PaymentAttempts {
  constructor(
    private readonly inbox: Inbox,
    private readonly orders: OrderChanges,
    private readonly holds: PaymentHolds,
    private readonly paypalEmail: PaypalEmailService,
    private readonly provider: PaymentProvider,
  ) {}

  /**
   * The form that Pay Now posts. An open attempt on the same terms is continued: a double click makes one. NOT_FOUND, also for another
   * person's order; ALREADY_PAID; NOT_PAYABLE.
   */
  start(orderId: string, context: RequestContext): Promise<CheckoutForm> {
    return this.inbox.once(context, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      const { actor } = context;
      if (!order || !('accountId' in actor) || order.accountId !== actor.accountId) {
        throw new DomainError('NOT_FOUND');
      }
      refuseUnlessPayable(order, await this.holds.of(tx, order));
      const receiver = await this.paypalEmail.current(tx);
      if (receiver === null) {
        throw new DomainError('NOT_PAYABLE', {}, 'We can’t take payments yet. Please try again later.');
      }
      const attempt =
        (await this.open(tx, order, receiver)) ?? (await this.begin(tx, order, receiver, context));
      return this.provider.startAttempt(attempt);
    });
  }

  /** In constant time: by the digest of the token, and compared as a whole. */
  async byToken(tx: EntityManager, token: string | undefined): Promise<PaymentAttemptEntity | null> {
    if (token === undefined || token === '') return null;
    const tokenDigest = digest(token);
    const attempt = await tx.findOneBy(PaymentAttemptEntity, { tokenDigest });
    return attempt && timingSafeEqual(attempt.tokenDigest, tokenDigest) ? attempt : null;
  }

  /** The buyer came back from the checkout. Until an outcome is known, or the attempt is reported as missed, the order is not to be paid again (`PaymentHolds`). */
  async noteReturn(manager: EntityManager, orderId: string): Promise<void> {
    const open = { orderId, outcomeAt: IsNull(), missedAt: IsNull(), returnedAt: IsNull() };
    await manager.update(PaymentAttemptEntity, open, { returnedAt: new Date() });
  }

  /** The provider has told something about the money of this attempt. */
  async noteOutcome(tx: EntityManager, { id, outcomeAt }: PaymentAttemptEntity): Promise<void> {
    if (outcomeAt === null) await tx.update(PaymentAttemptEntity, id, { outcomeAt: new Date() });
  }

  /** An attempt on the same terms of which nothing has come yet. */
  private open(
    tx: EntityManager,
    order: OrderEntity,
    receiver: string,
  ): Promise<PaymentAttemptEntity | null> {
    return tx.findOne(PaymentAttemptEntity, {
      where: {
        ...{ orderId: order.id, provider: this.provider.name, environment: this.provider.environment },
        ...{ receiver, amountCents: order.priceCents, currency, outcomeAt: IsNull(), missedAt: IsNull() },
        createdAt: MoreThan(new Date(Date.now() - reuseMs)),
      },
      order: { id: 'DESC' },
    });
  }

  private async begin(
    tx: EntityManager,
    order: OrderEntity,
    receiver: string,
    { actor, traceparent }: RequestContext,
  ): Promise<PaymentAttemptEntity> {
    const token = randomBytes(tokenBytes).toString('hex');
    const attempt = tx.create(PaymentAttemptEntity, {
      id: uuidv7(),
      orderId: order.id,
      provider: this.provider.name,
      environment: this.provider.environment,
      token,
      tokenDigest: digest(token),
      receiver,
      receiverAccount: null,
      amountCents: order.priceCents,
      currency,
      itemName: order.packageName,
      forgedNotices: 0,
      createdAt: new Date(),
      returnedAt: null,
      outcomeAt: null,
      missedAt: null,
    });
    await tx.insert(PaymentAttemptEntity, attempt);
    const amount = `${dollarsOf(attempt.amountCents)} ${currency}`;
    const evidence = { attemptId: attempt.id, receiver, amount, environment: attempt.environment };
    const by = 'email' in actor ? actor.email : null;
    await this.orders.apply(
      tx,
      order,
      {},
      [{ kind: 'attempt_started', text: `A payment of ${amount} was started.`, by, evidence }],
      { traceparent },
    );
    return attempt;
  }
}

const holdSentences: Record<PaymentHold, string> = {
  confirming: 'A payment for this order is being confirmed. Please don’t pay again.',
  under_review: 'A payment for this order is under review. Please don’t pay again.',
};

function refuseUnlessPayable(order: OrderEntity, hold: PaymentHold | null): void {
  if (order.paymentStatus === 'Paid') throw new DomainError('ALREADY_PAID');
  if (isPayable({ ...order, hold })) return;
  throw new DomainError('NOT_PAYABLE', {}, reasonNotToPay(order, hold));
}

function reasonNotToPay({ paymentStatus, paymentState }: OrderEntity, hold: PaymentHold | null) {
  if (hold) return holdSentences[hold];
  if (paymentState === 'pending') {
    return 'A payment for this order is pending. Please don’t pay again.';
  }
  if (paymentStatus === 'Cancelled') return 'This order is cancelled. You can place a new one.';
  return undefined;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
