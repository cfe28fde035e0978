import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError, LeasedWork, pauseAfter } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PaymentMetrics } from '../payment-metrics.js';
import { NoAnswerYet, PaymentProvider } from '../payment-provider.js';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../payment-settings.js';
import { NoticeDesk } from './notice-desk.js';
import { type LeasedNotice, NoticeInbox } from './notice-inbox.js';

/** Takes waiting notices, asks the provider whether it wrote them, and has them decided. */
@Injectable()
export class NoticeWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly notices: LeasedWork<LeasedNotice>;
  private readonly doubtful = new Set<LeasedNotice>();

  constructor(
    private readonly inbox: NoticeInbox,
    private readonly desk: NoticeDesk,
    private readonly provider: PaymentProvider,
    private readonly metrics: PaymentMetrics,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.notices = new LeasedWork({
      lease: (most) => this.lease(most),
      renew: (notices) => this.inbox.renew(notices),
      most: () => settings.concurrency,
      work: (notice) => this.decide(notice).finally(() => this.doubtful.delete(notice)),
      failed: (error, message) => this.report(error, message),
      pollMs: settings.pollMs,
      leaseMs: settings.leaseMs,
    });
  }

  onApplicationBootstrap(): void {
    this.inbox.onArrival(() => this.notices.look());
    this.notices.start();
  }

  /** Questions on their way are given up: another process, or this one later, asks again. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.notices.stop();
  }

  /** First notifications of attempts may take every place, doubtful ones half: however slow the provider is about these, a place is free. */
  private async lease(most: number): Promise<LeasedNotice[]> {
    const first = await this.inbox.lease('first', most);
    const places = Math.ceil(this.settings.concurrency / 2) - this.doubtful.size;
    const room = Math.min(most - first.length, places);
    const doubtful = room > 0 ? await this.inbox.lease('doubtful', room) : [];
    for (const notice of doubtful) this.doubtful.add(notice);
    return [...first, ...doubtful];
  }

  /** Never rejects: what goes wrong is tried again. */
  private async decide(notice: LeasedNotice): Promise<void> {
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

  /** Postgres gone is the readiness check's to tell. */
  private report(error: unknown, message: string, notice?: LeasedNotice): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, noticeId: notice?.id }, message);
  }
}
