import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import { Clock } from '#libs/runtime';
import { DeletedAccountRepository } from '../../order/deleted-account.repository.js';
import { isPayable } from '../../order/order-payment.js';
import { OrderRepository } from '../../order/order.repository.js';
import { PaymentNotificationProcessor } from '../notification/payment-notification.processor.js';
import type { PaymentProvider } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import type { PaymentAttemptEntity } from './payment-attempt.entity.js';
import { PaymentAttemptRepository } from './payment-attempt.repository.js';

type SubscriptionFollower = (attempt: PaymentAttemptEntity, traceparent?: string) => Promise<unknown>;

/** How soon to ask again after a failed inquiry. */
export const inquiryRetrySeconds = 30;

/** Inquiries come from Pay Now, the buyer's return, notifications, refunds, a plan's charges and the schedule, at the same time or in any order. */
@Injectable()
export class PaymentInquiryService {
  private readonly followers: SubscriptionFollower[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly deletedAccounts: DeletedAccountRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly processor: PaymentNotificationProcessor,
    private readonly providers: PaymentProviders,
    private readonly clock: Clock,
  ) {}

  /** `follow` is called during every inquiry about an attempt that begins a subscription. */
  onSubscriptionInquiry(follow: SubscriptionFollower): void {
    this.followers.push(follow);
  }

  /** `txnId` is a transaction that a returning buyer or a notification names. Throws NoAnswerYet and RefusedByProvider. */
  async inquire(attempt: PaymentAttemptEntity, txnId?: string, traceparent?: string): Promise<void> {
    const provider = this.providers.get(attempt.provider);
    const named = txnId === undefined ? [] : [txnId];
    const { manager } = this.dataSource;
    // A provider may not list the refunds of a charge with it, so the inquiry names them.
    const refunds = attempt.kind === 'charge' ? await this.attempts.listRefundTxnIds(manager, attempt) : [];
    let report = await provider.inquire(attempt, [...new Set([...named, ...refunds])]);
    if (report && this.isApproved(provider, report, attempt) && (await this.claimMoney(attempt)))
      report = await provider.capture(attempt);
    // Processing the report may close the attempt, so followers come first: if one fails, the attempt is still open and is asked about again.
    if (attempt.kind === 'subscription')
      for (const follow of this.followers) await follow(attempt, traceparent);
    if (report) await this.processor.processReport(provider, attempt.orderId, report, traceparent);
  }

  /**
   * For an attempt about which the provider refuses to say anything: lets the order be paid by another attempt, and brings the next inquiry forward.
   * False, and without effect, if this attempt may have taken the money, if it was reported as missed (`markMissed`), or if the order cannot be paid
   * anyway. Also false for the approval or a charge of a plan, because the provider charges a plan on its own.
   */
  allowAnotherAttempt(attempt: PaymentAttemptEntity): Promise<boolean> {
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, attempt.orderId);
      // A hold is ignored, because this attempt may be its cause.
      if (attempt.kind !== 'payment' || !order || !isPayable({ ...order, hold: null })) return false;
      if (!(await this.attempts.forgetReturn(tx, attempt))) return false;
      await this.attempts.bringInquiryForward(tx, inquiryRetrySeconds, attempt);
      return true;
    });
  }

  private isApproved(provider: PaymentProvider, report: Buffer, attempt: PaymentAttemptEntity): boolean {
    const [reading] = provider.read(report, attempt, this.clock.now());
    return reading?.kind === 'checkout' && reading.state === 'approved';
  }

  /** Claims the order's money before it is taken, so that it is never taken twice, even if the buyer has approved two payments. */
  private claimMoney(attempt: PaymentAttemptEntity): Promise<boolean> {
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, attempt.orderId);
      // A hold is ignored, because this attempt may be its cause.
      return (
        order !== null &&
        isPayable({ ...order, hold: null }) &&
        !(await this.deletedAccounts.has(tx, order.accountId)) &&
        (await this.attempts.claimCapture(tx, attempt))
      );
    });
  }
}
