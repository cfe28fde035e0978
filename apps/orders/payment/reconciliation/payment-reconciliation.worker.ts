import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { OrderChangeService } from '../../order/order-change.service.js';
import { OrderRepository } from '../../order/order.repository.js';
import type { PaymentAttemptEntity } from '../attempt/payment-attempt.entity.js';
import { PaymentAttemptRepository } from '../attempt/payment-attempt.repository.js';
import {
  PaymentNotificationRepository,
  type UnverifiedNotification,
} from '../notification/payment-notification.repository.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { PaymentProviders } from '../payment-providers.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';

const batch = 100;

/**
 * Reports attempts without an outcome, unverified notifications and the backlog, wakes postponed notifications, and erases old data. Every replica
 * runs it, but each attempt and each notification is reported at most once.
 */
@Injectable()
export class PaymentReconciliationWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly changes: OrderChangeService,
    private readonly attempts: PaymentAttemptRepository,
    private readonly notifications: PaymentNotificationRepository,
    private readonly providers: PaymentProviders,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      everyMs: settings.reconcileEveryMs,
      run: () => this.pass(),
      onError: (error) => {
        // The readiness check reports an unreachable Postgres; the next pass catches up.
        if (!isConnectionError(error)) this.logger.error({ err: error }, 'Reconciling payments failed');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** Waits for a pass in progress, because the database connections close afterwards. */
  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  private async pass(): Promise<void> {
    await this.reportMissedAttempts();
    await this.notifications.wakePostponed();
    await this.reportUnverified();
    await this.reportBacklog();
    await this.notifications.eraseOldBodies(this.settings.keepBodiesMs);
    await this.notifications.deleteOldStrangers();
    const decisions = this.metrics.takeDecisionCounts();
    if (Object.keys(decisions).length > 0) this.logger.info({ decisions }, 'Payment notifications decided');
  }

  /** In most missed attempts, the customer has only closed the checkout. In some, they have paid, and the notification was lost. */
  private async reportMissedAttempts(): Promise<void> {
    const { outcomeAfterMs } = this.settings;
    let count = 0;
    for (const attempt of await this.attempts.listOverdue(this.dataSource.manager, outcomeAfterMs, batch))
      if (await this.reportMissed(attempt)) count += 1;
    if (count === 0) return;
    this.metrics.countMissedAttempts(count);
    this.logger.warn({ attempts: count }, 'Payments were started and have no outcome');
  }

  private reportMissed(attempt: PaymentAttemptEntity): Promise<boolean> {
    const { label } = this.providers.get(attempt.provider);
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, attempt.orderId);
      if (!(await this.attempts.markMissed(tx, attempt)) || !order) return false;
      const text = `We haven’t heard from ${label} about the payment that was started. If it was made, you’ll find it at ${label}.`;
      const evidence = { attemptId: attempt.id };
      await this.changes.apply(tx, order, {}, [{ kind: 'attempt_unanswered', text, by: null, evidence }]);
      return true;
    });
  }

  private async reportUnverified(): Promise<void> {
    for (const unverified of await this.notifications.listUnverified(this.settings.alertAfterMs)) {
      if (!(await this.flagUnverified(unverified))) continue;
      const { id: notificationId, orderId, lastFailure } = unverified;
      this.logger.error({ notificationId, orderId, lastFailure }, 'A payment notification is not verified');
    }
  }

  private flagUnverified({ id, provider, orderId, lastFailure }: UnverifiedNotification): Promise<boolean> {
    const { label } = this.providers.get(provider);
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      if (!(await this.notifications.markReported(tx, id)) || !order) return false;
      // One timeline entry is enough, however many notifications somebody forges.
      if (order.flags.includes('unverified')) return false;
      const text = `${label} has not confirmed a message about this order. We keep asking.`;
      const evidence = { noticeId: id, lastFailure };
      const entry = { kind: 'notice_held', text, by: null, evidence } as const;
      await this.changes.apply(tx, order, { raise: ['unverified'] }, [entry]);
      return true;
    });
  }

  private async reportBacklog(): Promise<void> {
    const { waiting, failing, oldestSeconds } = await this.notifications.measureBacklog();
    this.metrics.setBacklog(waiting, oldestSeconds);
    if (failing > 0) {
      this.logger.warn(
        { waiting, failing, oldestSeconds: Math.round(oldestSeconds) },
        'Payment notifications wait for verification',
      );
    }
  }
}
