import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '#libs/contracts';
import {
  isConnectionError,
  isTemporaryDatabaseError,
  LeasedWork,
  pauseAfter,
  RecipientLimits,
} from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Clock, PeriodicTask } from '#libs/runtime';
import { CampaignEmailService, type Unwanted } from '../campaign/campaign-email.service.js';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailRepository } from '../mail/mail.repository.js';
import { BrandService } from '../site/brand.service.js';
import { SuppressionService } from '../subscriber/suppression.service.js';
import { DeliveryRepository, type FinalState, type LeasedMail } from './delivery.repository.js';
import { findTemplate } from './email-templates.js';
import { InvoiceAttachmentService } from './invoice-attachment.service.js';
import { MailMetrics } from './mail-metrics.js';
import { type Attachment, composeMessage } from './mime-message.js';
import { Mutex } from './mutex.js';
import { Outage } from './outage.js';
import { isHardBounceAt, parseRefusal } from './refusal.js';
import { SmtpPool } from './smtp/smtp-pool.js';
import { type ResolvedParams, UnreadMessagesService } from './unread-messages.service.js';
import { type Delivery, parseSmtpUrl, Unreachable } from './smtp/smtp-session.js';

/** How long a stopping process waits for the mail server's answer to a mail that it just sent. If none comes, another process resends the mail. */
const shutdownGraceMs = 5_000;
const recordRetryMs = 200;
/** For mails whose invoice or messages cannot be read yet. */
const notReadyRetryMs = 5_000;

interface WrittenMail {
  message: Buffer;
  subject: string;
}

/** The mail is no longer wanted, its campaign is paused, another process has it, or this process is stopping. */
class NotConfirmed extends Error {}

/**
 * From a mail's last byte until the server's answer is recorded, it is in doubt whether the mail was sent. In each process, `finalStep` admits
 * only one mail at a time, so when a process is killed, at most one mail is sent twice.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sending: LeasedWork<LeasedMail>;
  private readonly finalStep = new Mutex();
  private readonly pool: SmtpPool | undefined;
  private readonly sweeping = new PeriodicTask({
    everyMs: 30_000,
    run: () => this.sweep(),
    onError: (error) => this.logError(error, 'Sweeping mails failed'),
  });
  private stopping = false;
  private readonly outage: Outage;

  constructor(
    private readonly dataSource: DataSource,
    private readonly deliveries: DeliveryRepository,
    private readonly queue: MailQueue,
    private readonly mails: MailRepository,
    private readonly brand: BrandService,
    private readonly campaignEmails: CampaignEmailService,
    private readonly invoiceAttachments: InvoiceAttachmentService,
    private readonly unreadMessages: UnreadMessagesService,
    private readonly suppression: SuppressionService,
    private readonly recipientLimits: RecipientLimits,
    private readonly metrics: MailMetrics,
    private readonly clock: Clock,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { smtpUrl, timeoutMs, pollMs, leaseMs } = settings;
    this.outage = new Outage(clock, { firstRetryMs: pollMs, longestRetryMs: 60_000 });
    this.sending = new LeasedWork({
      lease: (count) => this.deliveries.lease(count),
      renew: (mails) => this.deliveries.renew(mails),
      capacity: () => this.capacity(),
      work: (mail) => this.deliver(mail),
      onError: (error, message) => this.logError(error, message),
      pollMs,
      leaseMs,
    });
    if (smtpUrl !== undefined) this.pool = new SmtpPool(parseSmtpUrl(smtpUrl, timeoutMs), timeoutMs);
  }

  onApplicationBootstrap(): void {
    this.sweeping.start();
    if (this.pool) {
      this.queue.onWake(() => this.sending.poll());
      this.sending.start();
    } else {
      this.logger.warn('Mail is off, because SMTP_URL is not set. Mails wait in the queue.');
    }
  }

  /** Waits for the mail server's answer if a mail was just sent to it. Other mails return to the queue. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    const stopped = Promise.all([this.sweeping.stop(), this.sending.stop()]);
    await Promise.race([stopped, pause(shutdownGraceMs, undefined, { ref: false })]);
    this.pool?.close();
  }

  private capacity(): number {
    if (this.outage.pauseMs > 0) return 0;
    // During an outage, one mail finds out whether the server is back.
    return this.outage.failures > 0 ? 1 : this.settings.concurrency;
  }

  /** Never rejects. If the delivery fails with an error, the mail is tried again or given up. */
  private async deliver(mail: LeasedMail): Promise<void> {
    const failuresBefore = this.outage.failures;
    try {
      if (mail.notAfter && mail.notAfter.getTime() < this.clock.now().getTime())
        await this.finish(mail, 'cancelled', 'The link expired before the e-mail could be sent.');
      else await this.send(mail, failuresBefore);
    } catch (error) {
      if (error instanceof Unreachable) await this.handleOutage(mail, error.message, failuresBefore);
      else if (error instanceof NotConfirmed) await this.giveBack(mail, 0);
      else {
        this.logError(error, 'A mail could not be sent', mail);
        await this.retryOrGiveUp(mail, 'An internal error. See the log.').catch((failure: unknown) => {
          // The lease ends by itself.
          this.logError(failure, 'A mail could not be returned to the queue', mail);
        });
      }
    }
  }

  private async send(mail: LeasedMail, failuresBefore: number): Promise<void> {
    const attachments = await this.invoiceAttachments.getIfReady(mail);
    if (attachments === null) {
      await this.giveBack(mail, notReadyRetryMs, 'Waiting for the invoice.');
      return;
    }
    const resolved = await this.resolveParams(mail);
    if (resolved === 'handled') return;
    if (resolved === null) {
      await this.finish(
        mail,
        'cancelled',
        'The messages were read or deleted in the meantime, or the recipient may no longer read them.',
      );
      return;
    }
    const written = await this.write({ ...mail, ...resolved }, attachments);
    if (written === 'unwritable') {
      await this.finish(mail, 'failed', 'The e-mail couldn’t be created. See the log for the reason.');
      return;
    }
    if ('unwantedBecause' in written) {
      await this.finish(mail, 'cancelled', written.unwantedBecause);
      return;
    }
    const { id, to } = mail;
    const { message, subject } = written;
    const session = await this.pool!.take();
    let turn: ReturnType<Mutex['acquire']> | undefined;
    const beforeMessage = async () => {
      turn = this.finalStep.acquire();
      await turn;
      if (this.stopping || !(await this.deliveries.confirm(mail))) throw new NotConfirmed();
    };
    try {
      const from = returnPathOf(id, this.settings);
      const delivery = await session.send({ from, to, message }, beforeMessage, this.settings.timeoutMs);
      if (this.outage.end(failuresBefore)) this.logger.info('The mail server can be reached again');
      await this.recordUntilDone(mail, delivery, subject);
    } finally {
      // Not awaited: if the connection was lost while this mail waited for its turn, the turn is still to come.
      void turn?.then((release) => release());
      this.pool!.giveBack(session);
    }
  }

  /** Null if the mail is no longer wanted; `handled` if it was returned to the queue, or given up. */
  private async resolveParams(mail: LeasedMail): Promise<ResolvedParams | null | 'handled'> {
    try {
      return await this.unreadMessages.resolveParams(mail);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (this.isTooOld(mail)) await this.finish(mail, 'failed', 'Given up: the messages couldn’t be read.');
      else await this.giveBack(mail, notReadyRetryMs, 'Waiting for the messages.');
      return 'handled';
    }
  }

  /** `unwritable` means that this version of the program cannot write the mail, so trying again would not help. */
  private async write(
    mail: LeasedMail,
    attachments: readonly Attachment[],
  ): Promise<WrittenMail | 'unwritable' | Unwanted> {
    const brand = await this.brand.current();
    const { template: name, params, messageId, date, to, replyTo, campaignId, subscriberId } = mail;
    const campaignEmail =
      campaignId !== null && subscriberId !== null
        ? await this.campaignEmails.write(campaignId, subscriberId, brand)
        : undefined;
    if (campaignEmail && 'unwantedBecause' in campaignEmail) return campaignEmail;
    try {
      const content = campaignEmail ?? findTemplate(name)?.write(params, brand);
      if (!content) throw new Error(`There is no template ${name}`);
      const details = { messageId, date, to, attachments, ...(replyTo && { replyTo }) };
      const message = await composeMessage(content, brand, details, this.settings);
      return { message, subject: content.subject };
    } catch (error) {
      this.logError(error, 'A mail could not be written', mail);
      return 'unwritable';
    }
  }

  /**
   * Tries again while the database cannot be reached or is too slow, because no other process knows the server's answer. Gives up when this process
   * is stopping.
   */
  private async recordUntilDone(mail: LeasedMail, delivery: Delivery, subject: string): Promise<void> {
    for (;;) {
      try {
        await this.record(mail, delivery, subject);
        return;
      } catch (error) {
        if (!isTemporaryDatabaseError(error) || this.stopping) throw error;
        await pause(recordRetryMs);
      }
    }
  }

  private async record(mail: LeasedMail, delivery: Delivery, subject: string): Promise<void> {
    const { answer } = delivery;
    if (delivery.accepted) {
      await this.finish(mail, 'sent', answer, subject);
    } else if (delivery.verdict === 'refused') {
      if (isHardBounceAt(delivery.step, parseRefusal(answer)))
        await this.failAndSuppress(mail, answer, subject);
      else await this.finish(mail, 'failed', answer, subject);
    } else {
      await this.retryOrGiveUp(mail, answer, subject);
    }
  }

  /** Counts this attempt. The pause before the next one grows. */
  private async retryOrGiveUp(mail: LeasedMail, answer: string, subject?: string): Promise<void> {
    if (this.isTooOld(mail)) {
      const attempts = mail.attempts === 1 ? '1 attempt' : `${mail.attempts} attempts`;
      await this.finish(mail, 'failed', `Given up after ${attempts}: ${answer}`, subject);
    } else {
      const pauseMs = pauseAfter(mail.attempts, this.settings);
      if (await this.deliveries.postpone(mail, pauseMs, { answer, counts: true }))
        this.metrics.recordOutcome('postponed');
    }
  }

  private async finish(
    mail: LeasedMail,
    state: FinalState['state'],
    answer: string,
    subject?: string,
  ): Promise<void> {
    const secrets = findTemplate(mail.template)?.secrets;
    if ((await this.deliveries.finish(mail, { state, answer, subject, secrets })) && state !== 'cancelled')
      this.metrics.recordOutcome(state);
  }

  /** For a mail that was refused because of the recipient's address. */
  private async failAndSuppress(mail: LeasedMail, answer: string, subject: string): Promise<void> {
    const secrets = findTemplate(mail.template)?.secrets;
    const isStored = await this.dataSource.transaction(async (tx) => {
      if (!(await this.deliveries.finish(mail, { state: 'failed', answer, subject, secrets }, tx)))
        return false;
      await this.suppression.suppress(tx, mail.to, answer);
      return true;
    });
    if (isStored) this.metrics.recordOutcome('failed');
  }

  /** Pauses all mails. This attempt does not count. */
  private async handleOutage(mail: LeasedMail, answer: string, failuresBefore: number): Promise<void> {
    const isFirst = this.outage.failures === 0;
    this.outage.recordFailure(failuresBefore);
    if (isFirst) this.logger.warn({ answer }, 'The mail server cannot be reached. Mails wait in the queue.');
    if (this.isTooOld(mail)) {
      await this.finish(mail, 'failed', `Given up: ${answer}`).catch((error: unknown) =>
        this.logError(error, 'A mail that was given up could not be marked as failed', mail),
      );
      return;
    }
    if (await this.giveBack(mail, this.outage.pauseMs, answer)) this.metrics.recordOutcome('postponed');
  }

  /** False if this process no longer has the mail’s lease, or the database failed. */
  private async giveBack(mail: LeasedMail, pauseMs: number, answer?: string): Promise<boolean> {
    return this.deliveries.postpone(mail, pauseMs, { answer, counts: false }).catch((error: unknown) => {
      // The lease ends by itself.
      this.logError(error, 'A mail could not be returned to the queue', mail);
      return false;
    });
  }

  private async sweep(): Promise<void> {
    await this.mails.cancelExpired();
    await this.mails.deleteOld();
    await this.recipientLimits.deleteOldCounts(this.dataSource.manager);
    this.metrics.setBacklog(await this.mails.backlog());
  }

  /**
   * Counts from the first attempt, not from the mail's creation, because mails wait while `SMTP_URL` is not set. If the mail's campaign was started
   * or resumed later, counts from then.
   */
  private isTooOld({ tryingSince }: LeasedMail): boolean {
    return this.clock.now().getTime() - tryingSince.getTime() > this.settings.giveUpAfterMs;
  }

  /** Leaves out lost connections to Postgres: the readiness check reports them. */
  private logError(error: unknown, message: string, mail?: LeasedMail): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, mailId: mail?.id }, message);
  }
}

/** The sender, or the configured return path with the mail's id added (variable envelope return path). */
function returnPathOf(id: string, { returnPath, from }: MailSettings): string {
  if (returnPath === undefined) return from!.address;
  const at = returnPath.lastIndexOf('@');
  return `${returnPath.slice(0, at)}+${id.replaceAll('-', '')}${returnPath.slice(at)}`;
}
