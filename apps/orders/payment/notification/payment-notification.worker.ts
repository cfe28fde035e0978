import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError, LeasedWork, pauseAfter } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import { PaymentInquiryService } from '../attempt/payment-inquiry.service.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { isProvidersFault, type PaymentProvider, RefusedByProvider } from '../payment-provider.js';
import { PaymentProviders } from '../payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import { PaymentNotificationIntakeService } from './payment-notification-intake.service.js';
import { PaymentNotificationProcessor } from './payment-notification.processor.js';
import { type LeasedNotification, PaymentNotificationRepository } from './payment-notification.repository.js';

@Injectable()
export class PaymentNotificationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly work: LeasedWork<LeasedNotification>;
  private readonly doubtful = new Set<LeasedNotification>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: PaymentNotificationRepository,
    private readonly intake: PaymentNotificationIntakeService,
    private readonly processor: PaymentNotificationProcessor,
    private readonly attempts: PaymentAttemptRepository,
    private readonly inquiries: PaymentInquiryService,
    private readonly providers: PaymentProviders,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { concurrency, pollMs, leaseMs } = settings;
    this.work = new LeasedWork({
      lease: (count) => this.lease(count),
      renew: (leased) => this.notifications.renew(leased, leaseMs),
      capacity: () => concurrency,
      work: (leased) => this.process(leased).finally(() => this.doubtful.delete(leased)),
      onError: (error, message) => this.report(error, message),
      pollMs,
      leaseMs,
    });
  }

  onApplicationBootstrap(): void {
    this.intake.onStored(() => this.work.poll());
    this.work.start();
  }

  /** Aborts running verifications of providers whose `verify` uses the signal. They are repeated later. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.work.stop();
  }

  /**
   * A notification is doubtful if it belongs to no attempt, if others of its attempt were waiting, being stored or forged when it came, or if the
   * provider has denied it. Doubtful ones may use only half of the places, so that slow answers about them leave room for the others (`first`).
   */
  private async lease(count: number): Promise<LeasedNotification[]> {
    const { concurrency, leaseMs } = this.settings;
    const first = await this.notifications.lease('first', count, leaseMs);
    const places = Math.ceil(concurrency / 2) - this.doubtful.size;
    const room = Math.min(count - first.length, places);
    const doubtful = room > 0 ? await this.notifications.lease('doubtful', room, leaseMs) : [];
    for (const leased of doubtful) this.doubtful.add(leased);
    return [...first, ...doubtful];
  }

  /** Never rejects: after a failure the notification is tried again. */
  private async process(leased: LeasedNotification): Promise<void> {
    try {
      const provider = this.providers.get(leased.provider);
      const verdict = await (provider.notifiesByHint
        ? this.followHint(provider, leased)
        : this.verify(provider, leased));
      await this.processor.process(leased, verdict);
    } catch (error) {
      if (!isProvidersFault(error)) this.report(error, 'Processing a payment notification failed', leased);
      await this.postpone(leased, error);
    }
  }

  private async verify(provider: PaymentProvider, leased: LeasedNotification): Promise<'genuine' | 'forged'> {
    try {
      const verdict = await provider.verify(leased, this.stopping.signal);
      this.metrics.countVerification(verdict);
      return verdict;
    } catch (error) {
      if (isProvidersFault(error)) this.metrics.countVerification('none');
      throw error;
    }
  }

  /** Without an attempt, the notification is not verified, because there is nothing to ask about. */
  private async followHint(
    provider: PaymentProvider,
    leased: LeasedNotification,
  ): Promise<'genuine' | 'forged' | 'stranger'> {
    const { manager } = this.dataSource;
    const references = provider.referencesOf(leased.body);
    const attempt = await this.attempts.findByReferences(manager, provider.name, references);
    if (!attempt) return 'stranger';
    const verdict = await this.verify(provider, leased);
    if (verdict === 'forged') return verdict;
    // The notification came before we stored the provider's answer with the id of the checkout.
    if (attempt.checkoutReference === null) throw new NoAnswerYet('the checkout is not stored yet');
    try {
      await this.inquiries.inquire(attempt, references.refundTxnId, leased.traceparent ?? undefined);
    } catch (error) {
      // While a notification waits, its order cannot be paid. A provider that refuses to report on the attempt would block the order forever.
      if (!(error instanceof RefusedByProvider) || !(await this.inquiries.allowAnotherAttempt(attempt)))
        throw error;
      const { id: attemptId, orderId } = attempt;
      this.logger.warn(
        { attemptId, orderId, reason: error.message },
        'The provider refuses to report on a payment that it sent a notification about',
      );
    }
    return verdict;
  }

  private async postpone(leased: LeasedNotification, error: unknown): Promise<void> {
    const pauseMs = this.stopping.signal.aborted ? 0 : pauseAfter(leased.tries, this.settings);
    const failure = isProvidersFault(error) ? error.message : 'an error of our own';
    const { manager } = this.dataSource;
    await this.notifications
      .postpone(manager, leased, { pauseMs, failure })
      .catch((postponeError: unknown) => {
        // The lease ends by itself.
        this.report(postponeError, 'Postponing a payment notification failed', leased);
      });
  }

  /** The readiness check reports an unreachable Postgres. */
  private report(error: unknown, message: string, leased?: LeasedNotification): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, notificationId: leased?.id }, message);
  }
}
