import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PaymentMetrics } from '../payment-metrics.js';
import { NoAnswerYet, PaymentProvider } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import { NoticeDesk } from './notice-desk.js';
import { type LeasedNotice, NoticeInbox } from './notice-inbox.js';

/** Leases are renewed so often within their length that one missed renewal does no harm. */
const renewalsPerLease = 3;

/**
 * Takes waiting notices, asks the provider whether it wrote them, and has them decided. Any number of processes share the work; what one held
 * that was killed is free again when its lease runs out.
 */
@Injectable()
export class NoticeWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly inHand = new Map<LeasedNotice, Promise<void>>();
  private readonly stopping = new AbortController();
  private timers: NodeJS.Timeout[] = [];
  private looking: Promise<void> | undefined;
  private lookAgain = false;

  constructor(
    private readonly inbox: NoticeInbox,
    private readonly desk: NoticeDesk,
    private readonly provider: PaymentProvider,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { pollMs, leaseMs } = this.settings;
    this.inbox.onArrival(() => this.look());
    this.timers = [
      setInterval(() => this.look(), pollMs),
      setInterval(() => void this.renew(), leaseMs / renewalsPerLease),
    ];
    for (const timer of this.timers) timer.unref();
    this.look();
  }

  /** Questions on their way are given up: another process, or this one later, asks again. */
  async onModuleDestroy(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.stopping.abort();
    await this.looking;
    await Promise.all(this.inHand.values());
  }

  /** Looks for work now, and once more if work arrived meanwhile. */
  private look(): void {
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = this.takeWork()
      .catch((error: unknown) => this.report(error, 'Looking for notices failed'))
      .finally(() => {
        this.looking = undefined;
        if (this.lookAgain) {
          this.lookAgain = false;
          this.look();
        }
      });
  }

  private async takeWork(): Promise<void> {
    const free = this.settings.concurrency - this.inHand.size;
    if (free <= 0 || this.stopping.signal.aborted) return;
    for (const notice of await this.inbox.lease(free)) {
      const work = this.work(notice).finally(() => {
        this.inHand.delete(notice);
        this.look();
      });
      this.inHand.set(notice, work);
    }
  }

  /** Never rejects: what goes wrong is tried again. */
  private async work(notice: LeasedNotice): Promise<void> {
    try {
      const verdict = await this.provider.confirm(notice.body, this.stopping.signal);
      this.metrics.answered(verdict);
      await this.desk.decide(notice, verdict);
    } catch (error) {
      if (error instanceof NoAnswerYet) this.metrics.answered('none');
      else this.report(error, 'Deciding about a notice failed', notice);
      await this.giveBack(notice, error);
    }
  }

  private async giveBack(notice: LeasedNotice, error: unknown): Promise<void> {
    const isStopping = this.stopping.signal.aborted;
    const pauseMs = isStopping ? 0 : pauseAfter(notice.tries, this.settings);
    const failure = error instanceof NoAnswerYet ? error.message : 'an error of our own';
    await this.inbox.postpone(notice, pauseMs, failure).catch((postponing: unknown) => {
      // The lease runs out by itself.
      this.report(postponing, 'Giving back a notice failed', notice);
    });
  }

  private async renew(): Promise<void> {
    if (this.inHand.size === 0) return;
    await this.inbox
      .renew([...this.inHand.keys()])
      .catch((error: unknown) => this.report(error, 'Renewing leases failed'));
  }

  /** Postgres gone is the readiness check's to tell. */
  private report(error: unknown, message: string, notice?: LeasedNotice): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, noticeId: notice?.id }, message);
  }
}

/**
 * Twice as long after each failure, up to a bound, and never quite the same: what failed together does not come back together.
 *
 * @param tries at least 1
 */
export function pauseAfter(
  tries: number,
  { firstRetryMs, longestRetryMs }: Pick<PaymentSettings, 'firstRetryMs' | 'longestRetryMs'>,
  random: () => number = Math.random,
): number {
  const pause = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(tries - 1, 40));
  return Math.round(pause * (0.5 + random() / 2));
}
