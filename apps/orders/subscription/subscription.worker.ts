import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask, addSeconds } from '#libs/runtime';
import { BillingClock } from '../payment/billing-clock.js';
import { isProvidersFault } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment/payment-settings.js';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import { SubscriptionInquiryService } from './subscription-inquiry.service.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

const everyMs = 2_000;
const concurrency = 16;
const pauseAfterRefusalMs = 3_600_000;

/**
 * Inquires about each subscription at least once a day, until some weeks after its end, so that nothing depends on a notification.
 * `nextInquiryAt` (`inquiry-schedule.ts`) decides when. The daily inquiry is also the reconciliation with the provider's list of charges.
 */
@Injectable()
export class SubscriptionWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly dataSource: DataSource,
    private readonly subscriptions: SubscriptionRepository,
    private readonly inquiries: SubscriptionInquiryService,
    private readonly providers: PaymentProviders,
    private readonly billing: BillingClock,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      everyMs,
      run: () => this.pass(),
      onError: (error) => this.report(error),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  private async pass(): Promise<void> {
    await this.inquiries.syncBillingClock(this.providers.forPlans?.name);
    const taken = await this.inquireDue();
    if (taken === concurrency) this.task.runSoon();
  }

  /** Inquires about at most `concurrency` subscriptions that are due. Returns how many. */
  async inquireDue(): Promise<number> {
    const due = await this.subscriptions.takeDue(this.dataSource.manager, this.billing.now(), concurrency);
    await Promise.all(due.map((subscription) => this.inquire(subscription)));
    return due.length;
  }

  /** Never rejects. */
  private async inquire({ id, version }: SubscriptionEntity): Promise<void> {
    try {
      await this.inquiries.inquire(id);
    } catch (error) {
      if (!isProvidersFault(error)) return this.report(error);
      this.logger.warn({ subscriptionId: id, reason: error.message }, 'An inquiry about a plan failed');
      const pauseMs = error instanceof NoAnswerYet ? this.settings.longestRetryMs : pauseAfterRefusalMs;
      const inquireAt = addSeconds(this.billing.now(), pauseMs / 1000);
      await this.subscriptions
        .scheduleInquiry(this.dataSource.manager, { id, version }, inquireAt)
        .catch((failure: unknown) => this.report(failure));
    }
  }

  /** Ignores a simulator that did not tell the time of its clock, and an unreachable Postgres, which the readiness check reports. */
  private report(error: unknown): void {
    if (error instanceof NoAnswerYet) return;
    if (!isConnectionError(error)) this.logger.error({ err: error }, 'Asking about plans failed');
  }
}
