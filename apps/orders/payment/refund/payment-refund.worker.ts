import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError, LeasedWork, pauseAfter, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { OrderChangeService } from '../../order/order-change.service.js';
import { OrderRepository } from '../../order/order.repository.js';
import { dollarsOf } from '../../money/price.js';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import { PaymentInquiryService } from '../attempt/payment-inquiry.service.js';
import { isProvidersFault, RefusedByProvider } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import type { PaymentRefundEntity } from './payment-refund.entity.js';
import { type LeasedRefund, PaymentRefundRepository } from './payment-refund.repository.js';
import { PaymentRefundService } from './payment-refund.service.js';

const concurrency = 4;

/** Asks the provider for each requested refund until the provider makes or refuses it. */
@Injectable()
export class PaymentRefundWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly work: LeasedWork<LeasedRefund>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly requests: PaymentRefundService,
    private readonly refunds: PaymentRefundRepository,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly attempts: PaymentAttemptRepository,
    private readonly inquiries: PaymentInquiryService,
    private readonly providers: PaymentProviders,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { pollMs, leaseMs } = settings;
    this.work = new LeasedWork({
      lease: (count) => this.refunds.lease(count, leaseMs),
      renew: (leased) => this.refunds.renew(leased, leaseMs),
      capacity: () => concurrency,
      work: (leased) => this.process(leased),
      onError: (error, message) => this.report(error, message),
      pollMs,
      leaseMs,
    });
  }

  onApplicationBootstrap(): void {
    this.requests.onRequested(() => this.work.poll());
    this.work.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.work.stop();
  }

  /** Never rejects: after a failure the refund is requested again. */
  private async process(leased: LeasedRefund): Promise<void> {
    try {
      await this.refund(await this.refunds.get(leased.id));
    } catch (error) {
      this.report(error, 'Refunding failed; will retry');
      await this.refunds
        .postpone(leased, pauseAfter(leased.tries, this.settings))
        .catch((failure: unknown) => {
          this.report(failure, 'Postponing a refund failed');
        });
    }
  }

  /** Only the answer to the refund request decides whether the refund is accepted. */
  private async refund(refund: PaymentRefundEntity): Promise<void> {
    const attempt = await this.attempts.get(refund.attemptId);
    let refundTxnId: string;
    try {
      refundTxnId = await this.providers.get(attempt.provider).refund(refund);
    } catch (error) {
      if (!(error instanceof RefusedByProvider)) throw error;
      this.logger.error({ refundId: refund.id, reason: error.message }, 'A refund was refused');
      return this.recordRefusal(refund, attempt.provider, error.message);
    }
    // The refund has been made, even if the inquiry fails. The order shows it once an inquiry has recorded it.
    await this.refunds.storeRefundTxnId(refund.id, refundTxnId);
    try {
      await this.inquiries.inquire(attempt);
    } catch (error) {
      if (!(error instanceof RefusedByProvider)) throw error;
      this.report(error, 'The provider refuses to say what has become of a refund');
    }
    await this.refunds.decide(this.dataSource.manager, refund.id, { state: 'accepted' });
  }

  private recordRefusal(
    { id, orderId, amountCents, currency, txnId }: PaymentRefundEntity,
    provider: string,
    problem: string,
  ): Promise<void> {
    const { label } = this.providers.get(provider);
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      if (!order || !(await this.refunds.decide(tx, id, { state: 'refused', problem }))) return;
      const text = `${label} did not refund ${dollarsOf(amountCents)} ${currency}.`;
      const evidence = { txnId, problem };
      await this.changes.apply(tx, order, {}, [{ kind: 'refund', text, by: null, evidence }]);
    });
  }

  /** Leaves out connection errors, because the readiness check reports an unreachable Postgres. */
  private report(error: unknown, message: string): void {
    if (isProvidersFault(error)) this.logger.warn({ reason: error.message }, message);
    else if (!isConnectionError(error)) this.logger.error({ err: error }, message);
  }
}
