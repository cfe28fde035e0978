import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isConnectionError, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { OrderChanges } from '../../order/order-changes.js';
import { PaymentMetrics } from '../payment-metrics.js';
import { PaymentProvider } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';

/** Of one pass, so that it ends. */
const batch = 100;
/** Evidence about no order of ours that is kept. */
const strangersKept = 10_000;

/**
 * Looks after what nobody asks about any more: attempts of which nothing was heard, notices that the provider does not confirm, and evidence that
 * is old. Every replica does; they pass by what another holds.
 */
@Injectable()
export class Reconciliation implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly orders: OrderChanges,
    private readonly provider: PaymentProvider,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.running
        .then(() => this.pass())
        .catch((error: unknown) => {
          // Postgres gone is the readiness check's to tell; the next pass catches up.
          if (!isConnectionError(error)) this.logger.error({ err: error }, 'Reconciling payments failed');
        });
    }, this.settings.reconcileEveryMs);
    this.timer.unref();
  }

  /** The pool closes after this: a pass in hand ends first. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One pass, now. */
  async pass(): Promise<void> {
    await this.reportMissedAttempts();
    await this.driveStuckNotices();
    await this.alertAboutUnverified();
    await this.reportBacklog();
    await this.forgetOldEvidence();
    const sums = this.metrics.takeSums();
    if (Object.keys(sums).length > 0) this.logger.info({ decisions: sums }, 'Payment notices decided');
  }

  /** Most customers of whom nothing is heard have closed the page. Some have paid, and the notice was lost. */
  private async reportMissedAttempts(): Promise<void> {
    const missed = await this.dataSource.query<{ id: string; order_id: string }[]>(
      `SELECT id, order_id FROM payment_attempts
       WHERE outcome_at IS NULL AND missed_at IS NULL AND created_at < now() - $1 * interval '1 ms'
       ORDER BY created_at LIMIT ${batch}`,
      [this.settings.outcomeAfterMs],
    );
    let count = 0;
    for (const { id, order_id: orderId } of missed) if (await this.reportMissed(id, orderId)) count += 1;
    if (count === 0) return;
    this.metrics.attemptsMissed(count);
    this.logger.warn({ attempts: count }, 'Payments were started, and nothing was heard of them');
  }

  private reportMissed(attemptId: string, orderId: string): Promise<boolean> {
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      const [, marked] = await tx.query<[unknown, number]>(
        `UPDATE payment_attempts SET missed_at = now()
         WHERE id = $1 AND outcome_at IS NULL AND missed_at IS NULL`,
        [attemptId],
      );
      if (!order || marked === 0) return false;
      const text = `We haven’t heard from ${this.provider.label} about the payment that was started. If it was made, you’ll find it at ${this.provider.label}.`;
      const line = { kind: 'attempt_unanswered', text, by: null, evidence: { attemptId } } as const;
      await this.orders.apply(tx, order, {}, [line]);
      return true;
    });
  }

  /** Once the provider answers again, nobody has to wait for the end of a long pause. */
  private async driveStuckNotices(): Promise<void> {
    await this.dataSource.query(
      `UPDATE payment_notices SET next_try_at = now() + random() * interval '5 s'
       WHERE id IN (
         SELECT id FROM payment_notices
         WHERE status = 'waiting' AND source = 'notice' AND refusals = 0
           AND next_try_at > now() + interval '15 s'
           AND EXISTS (SELECT 1 FROM payment_notices WHERE decided_at > now() - interval '2 minutes')
         ORDER BY attempt_id IS NULL, next_try_at LIMIT ${batch} FOR UPDATE SKIP LOCKED)`,
    );
  }

  private async alertAboutUnverified(): Promise<void> {
    const late = await this.dataSource.query<{ id: string; order_id: string; last_failure: string | null }[]>(
      `SELECT notice.id, attempt.order_id, notice.last_failure
       FROM payment_notices notice JOIN payment_attempts attempt ON attempt.id = notice.attempt_id
       WHERE notice.status = 'waiting' AND notice.alerted_at IS NULL
         AND notice.received_at < now() - $1 * interval '1 ms'
       ORDER BY notice.received_at LIMIT ${batch}`,
      [this.settings.alertAfterMs],
    );
    for (const { id, order_id: orderId, last_failure: lastFailure } of late) {
      const alerted = await this.alert(id, orderId, lastFailure);
      if (alerted)
        this.logger.error({ noticeId: id, orderId, lastFailure }, 'A payment notice is not verified');
    }
  }

  private alert(noticeId: string, orderId: string, lastFailure: string | null): Promise<boolean> {
    return transaction(this.dataSource, async (tx) => {
      const order = await this.orders.lock(tx, orderId);
      const [, marked] = await tx.query<[unknown, number]>(
        `UPDATE payment_notices SET alerted_at = now()
         WHERE id = $1 AND status = 'waiting' AND alerted_at IS NULL`,
        [noticeId],
      );
      if (!order || marked === 0) return false;
      // One line is enough, however many messages somebody forges.
      if (order.flags.includes('unverified')) return false;
      const text = `${this.provider.label} has not confirmed a message about this order. We keep asking.`;
      const line = { kind: 'notice_held', text, by: null, evidence: { noticeId, lastFailure } } as const;
      await this.orders.apply(tx, order, { raise: ['unverified'] }, [line]);
      return true;
    });
  }

  /** Without refused ones: they wait for a day however well everything works. */
  private async reportBacklog(): Promise<void> {
    const [{ waiting, failing, oldest }] = await this.dataSource.query<
      [{ waiting: number; failing: number; oldest: number }]
    >(
      `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE tries > 2)::int AS failing,
         coalesce(extract(epoch FROM now() - min(received_at)), 0)::float AS oldest
       FROM payment_notices WHERE status = 'waiting' AND refusals = 0`,
    );
    this.metrics.backlog(waiting, oldest);
    if (failing > 0) {
      this.logger.warn(
        { waiting, failing, oldestSeconds: Math.round(oldest) },
        'Payment notices wait for verification',
      );
    }
  }

  /** Bytes of notices name buyers, so they are not kept for ever; what they said about money is in the events. */
  private async forgetOldEvidence(): Promise<void> {
    await this.dataSource.query(
      `UPDATE payment_notices SET body = ''
       WHERE id IN (
         SELECT id FROM payment_notices
         WHERE decided_at < now() - $1 * interval '1 ms' AND body <> ''
         LIMIT ${batch} FOR UPDATE SKIP LOCKED)`,
      [this.settings.keepNoticesMs],
    );
    await this.dataSource.query(
      `DELETE FROM payment_notices
       WHERE id IN (
         SELECT id FROM payment_notices WHERE attempt_id IS NULL AND decided_at IS NOT NULL
         ORDER BY id DESC OFFSET ${strangersKept} LIMIT ${strangersKept})`,
    );
    // Whatever the answer would be, they have no effect; meanwhile they take the place of others.
    await this.dataSource.query(
      `DELETE FROM payment_notices
       WHERE attempt_id IS NULL AND status = 'waiting' AND received_at < now() - interval '4 days'`,
    );
  }
}
