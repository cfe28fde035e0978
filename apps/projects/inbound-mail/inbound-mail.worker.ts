import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError, LeasedWork } from '#libs/database';
import { type FileStorage, INBOUND_MAIL_STORAGE, inboundMailFileName } from '#libs/file-storage';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, PeriodicTask, addSeconds } from '#libs/runtime';
import { DroppedMail, type DropReason } from './drop-reason.js';
import { InboundMailMetrics } from './inbound-mail.metrics.js';
import { InboundMailRepository, type LeasedInboundMail } from './inbound-mail.repository.js';
import { IsolatedMailReader, UnreadableMail } from './isolated-mail-reader.js';
import { ReplyService } from './reply.service.js';

const concurrency = 2;
const pollMs = 1_000;
const leaseMs = 20_000;
const retryPauses = { firstRetryMs: 1_000, longestRetryMs: 600_000 };
const giveUpAfterSeconds = 6 * 60 * 60;
const daySeconds = 24 * 60 * 60;
/** For how long a message that arrives again is recognized. */
const rememberedSeconds = 90 * daySeconds;
const sweepMs = 60 * 60 * 1_000;
const idsPerQuery = 500;

/** Adds received mails to their threads, or drops them. Never sends an answer to a mail. */
@Injectable()
export class InboundMailWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly work: LeasedWork<LeasedInboundMail>;
  private readonly sweeping = new PeriodicTask({
    everyMs: sweepMs,
    run: () => this.sweep(),
    onError: (error) => this.report(error, 'Sweeping received mails failed'),
  });

  constructor(
    private readonly mails: InboundMailRepository,
    private readonly replies: ReplyService,
    private readonly mailReader: IsolatedMailReader,
    private readonly metrics: InboundMailMetrics,
    private readonly clock: Clock,
    @Inject(INBOUND_MAIL_STORAGE) private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.work = new LeasedWork({
      lease: (count) => this.mails.lease(count, leaseMs),
      renew: (leased) => this.mails.renew(leased, leaseMs),
      capacity: () => concurrency,
      work: (leased) => this.handle(leased),
      retry: {
        ...retryPauses,
        message: 'A received mail could not be handled; will retry',
        triesOf: ({ tries }) => tries,
        postpone: (leased, pauseMs) => this.mails.postpone(leased, pauseMs),
      },
      onError: (error, message, leased) => this.report(error, message, leased),
      ...{ pollMs, leaseMs },
    });
  }

  onApplicationBootstrap(): void {
    this.work.start();
    this.sweeping.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.work.stop(), this.sweeping.stop()]);
    this.mailReader.stop();
  }

  poll(): void {
    this.work.poll();
  }

  private async handle(leased: LeasedInboundMail): Promise<void> {
    const { id: mailId, fileId, receivedAt } = leased;
    const isTooOld = addSeconds(receivedAt, giveUpAfterSeconds) < this.clock.now();
    try {
      const raw = await this.storage.findBytes(fileId, inboundMailFileName);
      // The mail is tried again, because an operator may correct a wrong setting of the storage.
      if (!raw) throw new Error('The message is not in storage');
      const mail = await this.mailReader.read(new Uint8Array(raw));
      const projectId = await this.replies.post(leased, mail);
      this.metrics.recordOutcome('posted');
      this.logger.info({ mailId, projectId }, 'A reply by mail was added to its thread');
    } catch (error) {
      const reason = dropReasonOf(error) ?? (isTooOld ? 'failed' : undefined);
      if (reason === undefined) throw error;
      await this.drop(leased, reason, error as Error);
    }
    await this.storage
      .remove(fileId)
      .catch((error: unknown) =>
        this.report(
          error,
          'A handled mail could not be removed from storage; a later sweep removes it',
          leased,
        ),
      );
  }

  private async drop(leased: LeasedInboundMail, why: DropReason, error: Error): Promise<void> {
    // False if another process has taken over the lease. That process needs the stored message, so `handle` must not go on and remove it.
    if (!(await this.mails.finishDropped(leased, why))) throw error;
    this.metrics.recordOutcome(why);
    const { id: mailId } = leased;
    if (why === 'failed') this.logger.error({ mailId, err: error }, 'A received mail was given up');
    else this.logger.info({ mailId, why, detail: error.message }, 'A received mail was dropped');
  }

  /**
   * Deletes old rows of handled mails. Removes stored messages that have no row, or that were not removed when their mail was handled. Keeps messages
   * younger than a day, because their row may not be written yet.
   */
  private async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.mails.deleteHandled(addSeconds(now, -rememberedSeconds));
    let ids: string[] = [];
    for await (const id of this.storage.idsStoredBefore(addSeconds(now, -daySeconds))) {
      ids.push(id);
      if (ids.length < idsPerQuery) continue;
      await this.removeUnlessWaiting(ids);
      ids = [];
    }
    await this.removeUnlessWaiting(ids);
  }

  private async removeUnlessWaiting(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const waiting = await this.mails.listWaitingFileIds(ids);
    for (const id of ids) if (!waiting.has(id)) await this.storage.remove(id);
  }

  /** Leaves out connection errors, because the readiness check reports an unreachable Postgres. */
  private report(error: unknown, message: string, leased?: LeasedInboundMail): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, mailId: leased?.id }, message);
  }
}

/** Undefined if trying again may help. */
function dropReasonOf(error: unknown): DropReason | undefined {
  if (error instanceof DroppedMail) return error.reason;
  return error instanceof UnreadableMail ? 'unreadable' : undefined;
}
