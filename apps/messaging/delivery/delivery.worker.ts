import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isConnectionError, LeasedWork, pauseAfter } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { CampaignLetters } from '../campaign/campaign-letters.js';
import { SiteBrand } from '../site/site-brand.js';
import { compose } from './compose.js';
import { isDeadAddress, refusalIn } from './hard-bounce.js';
import { MailMetrics } from './mail-metrics.js';
import { type LeasedMail, MailQueue } from './mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from './mail-settings.js';
import { isTemplate, templates } from './mail-templates.js';
import { SmtpPool } from './smtp/smtp-pool.js';
import { type Delivery, smtpServer, Unreachable } from './smtp/smtp-session.js';
import { Turn } from './turn.js';

const sweepMs = 30_000;
/** How long a stopping process waits for what the server is about to answer; after that another repeats it. */
const lastWordsMs = 5_000;
const settleRetryMs = 200;

interface Written {
  message: Buffer;
  subject: string;
}

/** The mail is somebody else's now, or nobody's any more, or this process stops: not a word about it was said to the server. */
class NotMine extends Error {}

/**
 * Takes mails whose time has come and hands them to the mail server.
 *
 * Whether a mail was taken is only in doubt between its last byte and the server's answer being recorded. Of the mails that a
 * process has in hand one at a time goes through that gap: a process that is killed leaves at most one that is sent again.
 */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly mails: LeasedWork<LeasedMail>;
  private readonly ending = new Turn();
  private readonly pool: SmtpPool | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private stopping = false;
  /** After the server could not be reached: how often in a row, and when to try again. */
  private unreachable = { times: 0, until: 0 };

  constructor(
    private readonly queue: MailQueue,
    private readonly brand: SiteBrand,
    private readonly campaigns: CampaignLetters,
    private readonly metrics: MailMetrics,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { smtpUrl, timeoutMs, pollMs, leaseMs } = settings;
    this.mails = new LeasedWork({
      lease: (most) => this.queue.lease(most),
      renew: (mails) => this.queue.renew(mails),
      most: () => this.mostInHand(),
      work: (mail) => this.work(mail),
      failed: (error, message) => this.report(error, message),
      pollMs,
      leaseMs,
    });
    if (smtpUrl !== undefined) this.pool = new SmtpPool(smtpServer(smtpUrl, timeoutMs), timeoutMs);
  }

  onApplicationBootstrap(): void {
    this.sweeping = setInterval(() => void this.sweep(), sweepMs).unref();
    if (this.pool) {
      this.queue.onArrival(() => this.mails.look());
      this.mails.start();
    } else {
      this.logger.warn('Mail is off: SMTP_URL is not set. What is to be sent waits.');
    }
  }

  /** What the server is about to answer is waited for; the rest is given back. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    clearInterval(this.sweeping);
    let timer: NodeJS.Timeout | undefined;
    const longest = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastWordsMs)));
    await Promise.race([this.mails.stop(), longest]);
    clearTimeout(timer);
    this.pool?.close();
  }

  private mostInHand(): number {
    const { times, until } = this.unreachable;
    if (Date.now() < until) return 0;
    // While the server is away one mail finds out whether it is back.
    return times > 0 ? 1 : this.settings.concurrency;
  }

  /** Never rejects: what goes wrong is tried again. */
  private async work(mail: LeasedMail): Promise<void> {
    try {
      if (mail.notAfter && mail.notAfter.getTime() < Date.now()) {
        await this.queue.finish(mail, 'cancelled', 'The link expired before the e-mail could be sent.');
        return;
      }
      await this.send(mail);
    } catch (error) {
      if (error instanceof Unreachable) await this.serverIsAway(mail, error.message);
      else if (error instanceof NotMine) await this.giveBack(mail, 0);
      else {
        this.report(error, 'Sending a mail failed', mail);
        await this.giveBack(mail, pauseAfter(mail.attempts, this.settings), 'an error of our own');
      }
    }
  }

  private async send(mail: LeasedMail): Promise<void> {
    const written = await this.write(mail);
    if (written === 'unwanted') {
      await this.queue.finish(mail, 'cancelled', 'The recipient is no longer subscribed.');
      return;
    }
    if (written === 'unwritable') {
      await this.queue.finish(mail, 'failed', 'The e-mail couldn’t be created. See the log for the reason.');
      this.metrics.finished('failed');
      return;
    }
    const { id, to } = mail;
    const { message, subject } = written;
    const session = await this.pool!.take();
    let endTurn: (() => void) | undefined;
    const mayEnd = async () => {
      endTurn = await this.ending.take();
      if (this.stopping || !(await this.queue.stillMine(mail))) throw new NotMine();
    };
    try {
      const from = returnPathOf(id, this.settings);
      const delivery = await session.send({ from, to, message }, mayEnd, this.settings.timeoutMs);
      if (this.unreachable.times > 0) this.logger.info('The mail server answers again');
      this.unreachable = { times: 0, until: 0 };
      await this.settle(mail, delivery, subject);
    } finally {
      endTurn?.();
      this.pool!.giveBack(session);
    }
  }

  /** What this version cannot write is not tried again: that would not help. */
  private async write(mail: LeasedMail): Promise<Written | 'unwritable' | 'unwanted'> {
    const brand = await this.brand.current();
    const { template, params, messageId, date, to, replyTo, campaignId } = mail;
    const ofCampaign = campaignId === null ? undefined : await this.campaigns.letterOf(mail, brand);
    if (ofCampaign === 'unwanted') return ofCampaign;
    try {
      if (!ofCampaign && !isTemplate(template)) throw new Error(`There is no template ${template}`);
      const letter = ofCampaign ?? templates[template as keyof typeof templates].write(params, brand);
      const envelope = { messageId, date, to, ...(replyTo && { replyTo }) };
      return { message: await compose(letter, brand, envelope, this.settings), subject: letter.subject };
    } catch (error) {
      this.report(error, 'A mail cannot be written', mail);
      return 'unwritable';
    }
  }

  /** Records what the server said; goes on trying while the database is away, for nobody else knows it. */
  private async settle(mail: LeasedMail, delivery: Delivery, subject: string): Promise<void> {
    for (;;) {
      try {
        await this.record(mail, delivery, subject);
        return;
      } catch (error) {
        if (!isConnectionError(error) || this.stopping) throw error;
        await new Promise((resolve) => setTimeout(resolve, settleRetryMs));
      }
    }
  }

  private async record(mail: LeasedMail, delivery: Delivery, subject: string): Promise<void> {
    const { answer } = delivery;
    if (delivery.taken) {
      await this.queue.finish(mail, 'sent', answer, subject);
      this.metrics.finished('sent');
    } else if (delivery.verdict === 'refused') {
      if (delivery.ofRecipient && isDeadAddress(refusalIn(answer)))
        await this.queue.refused(mail, answer, subject);
      else await this.queue.finish(mail, 'failed', answer, subject);
      this.metrics.finished('failed');
    } else if (isTooOld(mail, this.settings)) {
      await this.queue.finish(mail, 'failed', `Given up after ${mail.attempts} attempts: ${answer}`, subject);
      this.metrics.finished('failed');
    } else {
      await this.queue.postpone(mail, pauseAfter(mail.attempts, this.settings), { answer, counts: true });
      this.metrics.finished('postponed');
    }
  }

  /** No mail's fault: all wait, and the attempt does not count. */
  private async serverIsAway(mail: LeasedMail, answer: string): Promise<void> {
    const times = this.unreachable.times + 1;
    const pauseMs = pauseAfter(times, { firstRetryMs: this.settings.pollMs, longestRetryMs: 60_000 });
    this.unreachable = { times, until: Date.now() + pauseMs };
    if (times === 1) this.logger.warn({ answer }, 'The mail server cannot be reached; mails wait');
    this.metrics.finished('postponed');
    if (isTooOld(mail, this.settings)) {
      await this.queue
        .finish(mail, 'failed', `Given up: ${answer}`)
        .catch((error: unknown) => this.report(error, 'Giving up a mail failed', mail));
      return;
    }
    await this.giveBack(mail, pauseMs, answer);
  }

  private async giveBack(mail: LeasedMail, pauseMs: number, answer?: string): Promise<void> {
    await this.queue.postpone(mail, pauseMs, { answer, counts: false }).catch((error: unknown) => {
      // The lease runs out by itself.
      this.report(error, 'Giving back a mail failed', mail);
    });
  }

  private async sweep(): Promise<void> {
    try {
      await this.queue.sweep();
      this.metrics.backlog(await this.queue.backlog());
    } catch (error) {
      this.report(error, 'Sweeping mails failed');
    }
  }

  /** Postgres gone is the readiness check's to tell. */
  private report(error: unknown, message: string, mail?: LeasedMail): void {
    if (!isConnectionError(error)) this.logger.error({ err: error, mailId: mail?.id }, message);
  }
}

/** Where a report of a failed delivery goes: the mail's id tells which it was (variable envelope return path). */
function returnPathOf(id: string, { returnPath, from }: MailSettings): string {
  if (returnPath === undefined) return from!.address;
  const at = returnPath.lastIndexOf('@');
  return `${returnPath.slice(0, at)}+${id.replaceAll('-', '')}${returnPath.slice(at)}`;
}

function isTooOld({ createdAt }: LeasedMail, { giveUpAfterMs }: MailSettings): boolean {
  return Date.now() - createdAt.getTime() > giveUpAfterMs;
}
