import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type CheckoutForm, DomainError, paymentContract, type PaymentHold } from '#libs/contracts';
import { Inbox, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { personOf } from '../../access/person.js';
import { RecordAccess } from '../../access/record-access.js';
import { totalCents } from '../../money/tax.js';
import { currency, dollarsOf } from '../../money/price.js';
import { OrderChangeService } from '../../order/order-change.service.js';
import type { OrderEntity } from '../../order/order.entity.js';
import { isPayable } from '../../order/order-payment.js';
import { OrderRepository } from '../../order/order.repository.js';
import { PaymentHoldRepository } from '../../order/payment-hold.repository.js';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { type AttemptKind, type PaymentProvider, RefusedByProvider } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import { BuyerCalls } from './buyer-calls.js';
import type { PaymentAttemptEntity } from './payment-attempt.entity.js';
import { type NewAttempt, PaymentAttemptRepository } from './payment-attempt.repository.js';
import { PaymentInquiryService } from './payment-inquiry.service.js';

@Injectable()
export class PaymentAttemptService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly access: RecordAccess,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly holds: PaymentHoldRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly inquiries: PaymentInquiryService,
    private readonly calls: BuyerCalls,
    private readonly providers: PaymentProviders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * A recent open attempt on the same terms is continued, so a double click makes only one. Throws NOT_FOUND, also if the actor may not pay this
   * order; ALREADY_PAID; NOT_PAYABLE; UNAVAILABLE if the provider does not answer.
   */
  @Handles(paymentContract.startPayment)
  async start({ id: orderId }: { id: string }, context: RequestContext): Promise<CheckoutForm> {
    const answered = await this.inbox.findReply<CheckoutForm>(context);
    if (answered) return answered;
    const attempt = await this.prepareAttempt(orderId, context);
    // Not in a transaction, which would keep the order locked and a connection busy for as long as the provider takes.
    const checkout = await this.ask(attempt, context, (provider) => provider.beginCheckout(attempt));
    return this.inbox.once(context, async (tx) => {
      await this.attempts.storeCheckout(tx, attempt, checkout);
      return checkout.form;
    });
  }

  /** Asks the provider before continuing an attempt: the buyer may have approved it meanwhile, for example in another tab. */
  private async prepareAttempt(orderId: string, context: RequestContext): Promise<PaymentAttemptEntity> {
    const continueOrBegin = () =>
      transaction(this.dataSource, (tx) => this.continueOrBegin(tx, orderId, context));
    const attempt = await continueOrBegin();
    if (attempt.checkoutReference === null) return attempt;
    await this.ask(attempt, context, () => this.inquireOrClose(attempt));
    return continueOrBegin();
  }

  /**
   * If the provider refuses to say anything about the attempt, closes it, so that another can begin. A closed attempt's money is never taken, even if
   * the buyer has approved it. An attempt stays open while its money is being taken. An attempt that begins a plan also stays open, because the
   * provider charges a plan on its own.
   */
  private async inquireOrClose(attempt: PaymentAttemptEntity): Promise<void> {
    try {
      await this.inquiries.inquire(attempt);
    } catch (error) {
      const isClosed =
        error instanceof RefusedByProvider &&
        (await this.close(attempt, ({ kind, capturing }) => kind === 'payment' && !capturing));
      if (!isClosed) throw error;
      const { id: attemptId, orderId } = attempt;
      this.logger.warn(
        { attemptId, orderId, reason: error.message },
        'Closed a payment that the provider refuses to report on',
      );
    }
  }

  private async continueOrBegin(
    tx: EntityManager,
    orderId: string,
    context: RequestContext,
  ): Promise<PaymentAttemptEntity> {
    const order = await this.orders.lock(tx, orderId);
    if (!order) throw new DomainError('NOT_FOUND');
    await this.access.requireCustomerOrPayer(context.actor, order.accountId, tx);
    refuseUnlessPayable(order, await this.holds.find(tx, order));
    const { forSinglePayments, forPlans } = this.providers;
    // Without a provider that charges plans, for example after a change of the provider, the customer can pay for one month.
    const isOneMonth = order.cycle !== null && forPlans === undefined;
    if (isOneMonth) await this.orders.update(tx, order, { cycle: null });
    const provider = order.cycle === null ? forSinglePayments : forPlans;
    const receiver = (await provider?.findReceiver(tx)) ?? null;
    if (!provider || receiver === null) throw cannotTakePayments();
    const kind: AttemptKind = order.cycle === null ? 'payment' : 'subscription';
    const terms = {
      ...{ orderId, kind, provider: provider.name, environment: provider.environment, receiver },
      ...{ amountCents: totalCents(order), currency, itemName: order.packageName },
    };
    const text = isOneMonth
      ? 'A payment for one month was started, because monthly plans aren’t available at the moment.'
      : `A payment of ${dollarsOf(terms.amountCents)} ${currency} was started.`;
    return (await this.attempts.findOpen(tx, terms)) ?? (await this.begin(tx, order, terms, text, context));
  }

  /** Throws NOT_PAYABLE if the provider refuses, UNAVAILABLE if it does not answer or could not be asked (`BuyerCalls`). */
  private async ask<T>(
    attempt: PaymentAttemptEntity,
    context: RequestContext,
    call: (provider: PaymentProvider) => Promise<T>,
  ): Promise<T> {
    const provider = this.providers.get(attempt.provider);
    const { id: attemptId, orderId } = attempt;
    try {
      return await this.calls.run(context, () => call(provider), { attemptId, orderId });
    } catch (error) {
      if (error instanceof RefusedByProvider) {
        this.logger.error(
          { attemptId, orderId, reason: error.message },
          'The provider refused a request about a checkout',
        );
        // An attempt with a checkout stays open: the buyer may have approved it.
        await this.close(attempt, ({ checkoutReference }) => checkoutReference === null);
        throw cannotTakePayments();
      }
      if (!(error instanceof NoAnswerYet)) throw error;
      this.logger.warn(
        { attemptId, orderId, reason: error.message },
        'There was no answer from the provider about a checkout',
      );
      const sentence = `${provider.label} isn’t answering at the moment. Please try again in a minute.`;
      throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 10 }, sentence);
    }
  }

  /** `mayClose` sees the attempt as stored now. */
  private close(
    { id, orderId }: PaymentAttemptEntity,
    mayClose: (stored: PaymentAttemptEntity) => boolean,
  ): Promise<boolean> {
    return transaction(this.dataSource, async (tx) => {
      await this.orders.lock(tx, orderId);
      const attempt = await this.attempts.get(id, tx);
      if (!mayClose(attempt)) return false;
      await this.attempts.applyCheckoutState(tx, attempt, 'closed');
      return true;
    });
  }

  private async begin(
    tx: EntityManager,
    order: OrderEntity,
    terms: NewAttempt,
    text: string,
    { actor, traceparent }: RequestContext,
  ): Promise<PaymentAttemptEntity> {
    const attempt = await this.attempts.insert(tx, terms, String(order.number));
    const { id: attemptId, receiver, environment } = attempt;
    const amount = `${dollarsOf(attempt.amountCents)} ${currency}`;
    const { email: by, accountId: byAccount } = personOf(actor);
    const evidence = { attemptId, receiver, amount, environment };
    await this.changes.apply(tx, order, {}, [{ kind: 'attempt_started', text, by, byAccount, evidence }], {
      traceparent,
    });
    return attempt;
  }
}

function cannotTakePayments(): DomainError {
  return new DomainError('NOT_PAYABLE', {}, 'We can’t take payments at the moment. Please try again later.');
}

const holdSentences: Record<PaymentHold, string> = {
  confirming: 'A payment for this order is being confirmed. Please don’t pay again.',
  under_review: 'A payment for this order is under review. Please don’t pay again.',
};

function refuseUnlessPayable(order: OrderEntity, hold: PaymentHold | null): void {
  if (order.paymentStatus === 'Paid') throw new DomainError('ALREADY_PAID');
  if (isPayable({ ...order, hold })) return;
  throw new DomainError('NOT_PAYABLE', {}, reasonNotPayable(order, hold));
}

function reasonNotPayable(
  { paymentStatus, paymentState, subscriptionId }: OrderEntity,
  hold: PaymentHold | null,
) {
  if (hold) return holdSentences[hold];
  if (subscriptionId !== null) return 'This order belongs to a monthly plan, which is charged automatically.';
  if (paymentState === 'pending') {
    return 'A payment for this order is pending. Please don’t pay again.';
  }
  if (paymentStatus === 'Cancelled') return 'This order is cancelled. You can place a new one.';
  return undefined;
}
