import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { isProvidersFault, RefusedByProvider } from '../payment-provider.js';
import type { PaymentAttemptEntity } from './payment-attempt.entity.js';
import { PaymentAttemptRepository } from './payment-attempt.repository.js';
import { PaymentInquiryService, inquiryRetrySeconds } from './payment-inquiry.service.js';

const everyMs = 2_000;
const concurrency = 16;

@Injectable()
export class PaymentInquiryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly dataSource: DataSource,
    private readonly attempts: PaymentAttemptRepository,
    private readonly inquiries: PaymentInquiryService,
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
    const due = await this.attempts.takeDue(this.dataSource.manager, concurrency);
    await Promise.all(due.map((attempt) => this.inquire(attempt)));
    if (due.length === concurrency) this.task.runSoon();
  }

  /** Never rejects: it reports errors. `takeDue` has already scheduled the next inquiry, except for an old attempt. */
  private async inquire(attempt: PaymentAttemptEntity): Promise<void> {
    try {
      await this.inquiries.inquire(attempt);
    } catch (error) {
      const { id: attemptId, orderId } = attempt;
      if (!isProvidersFault(error)) return this.report(error, { attemptId, orderId });
      this.logger.warn({ attemptId, orderId, reason: error.message }, 'An inquiry about a payment failed');
      const { manager } = this.dataSource;
      // After a refusal, no further inquiry about an open attempt is scheduled, so that the attempt is reported as missed.
      const next =
        error instanceof RefusedByProvider
          ? this.attempts.endInquiriesIfOpen(manager, attempt)
          : this.attempts.bringInquiryForward(manager, inquiryRetrySeconds, attempt);
      await next.catch((failure: unknown) => this.report(failure, { attemptId, orderId }));
    }
  }

  /** Leaves out connection errors, because the readiness check reports an unreachable Postgres. */
  private report(error: unknown, ids?: { attemptId: string; orderId: string }): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, ...ids }, 'Asking about payments failed');
  }
}
