import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { type CheckoutForm, DomainError } from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { OrderChanges } from '../../order/order-changes.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { paymentOf } from '../../order/order-payment.js';
import { PaypalEmailService } from '../../paypal-email/paypal-email.service.js';
import { PaymentProvider } from '../payment-provider.js';
import { dollarsOf } from '../../order/price.js';

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
      refuseUnlessPayable(order);
      const receiver = await this.paypalEmail.current(tx);
      if (receiver === null) {
        throw new DomainError(
          'NOT_PAYABLE',
          {},
          'The shop cannot take payments yet. Please try again later.',
        );
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

  /** Whether somebody may be paying for it just now. */
  async isUnderWay(tx: EntityManager, orderId: string): Promise<boolean> {
    return tx.existsBy(PaymentAttemptEntity, { orderId, outcomeAt: IsNull(), missedAt: IsNull() });
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

function refuseUnlessPayable({ providerState, override, cancelled }: OrderEntity): void {
  const { payable, paymentStatus } = paymentOf({ provider: providerState, override, cancelled });
  if (paymentStatus === 'Paid') throw new DomainError('ALREADY_PAID');
  if (!payable) throw new DomainError('NOT_PAYABLE');
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
