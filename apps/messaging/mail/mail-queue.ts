import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MailState } from '#libs/contracts';
import { recipientMailsKeptSeconds } from '#libs/database';
import { Suppressions } from '../suppression/suppressions.js';
import { isTemplate, type MailTemplate, templates } from './mail-templates.js';
import { MAIL_SETTINGS, type Mailbox, type MailSettings } from './mail-settings.js';

/** A mail to be sent. */
export interface NewMail {
  /** The same id is the same mail. */
  id: string;
  template: keyof typeof templates;
  params: Record<string, unknown>;
  to: string;
  replyTo?: Mailbox;
  /** After this it is not sent any more. */
  notAfter?: string;
  /** What it is about, for the list: `order <id>`. */
  about?: string;
  resendOf?: string;
}

/** A mail that this process has to itself until its lease runs out. */
export interface LeasedMail {
  id: string;
  template: string;
  params: Record<string, unknown>;
  to: string;
  replyTo: Mailbox | null;
  messageId: string;
  /** Of a campaign's mail: whose, and to whom. */
  campaignId: string | null;
  subscriberId: string | null;
  /** When it was first tried. */
  date: Date;
  notAfter: Date | null;
  createdAt: Date;
  lease: string;
  /** This one included. */
  attempts: number;
}

/** Of a campaign, to one subscriber. */
export interface CampaignMail {
  id: string;
  subscriberId: string;
  to: string;
}

const batch = 1_000;
/** Notices go first. */
const campaignPriority = 2;

/**
 * What is to go out, in the database: a mail is there if, and only if, the transaction that asked for it committed, and stays until the
 * server took it, refused it for good, or it makes no sense any more. A leased one is `sending`, and `next_attempt_at` is the lease's end.
 */
@Injectable()
export class MailQueue {
  private readonly arrivals = new Set<() => void>();
  private readonly domain: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly suppressions: Suppressions,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {
    this.domain = settings.from?.address.split('@').at(-1) ?? new URL(settings.publicUrl).hostname;
  }

  /** Adds it, in the caller's transaction; false when it was there before. Then, after the commit, `announce`. */
  async add(tx: EntityManager, mail: NewMail): Promise<boolean> {
    const template: MailTemplate = templates[mail.template];
    const rows: unknown[] = await tx.query(
      `INSERT INTO mails (id, template, params, to_address, reply_to, message_id, state, priority, next_attempt_at, not_after, about, resend_of, forget)
       VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, now(), $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING RETURNING 1`,
      [
        ...[mail.id, mail.template, JSON.stringify(mail.params), mail.to],
        ...[mail.replyTo ? JSON.stringify(mail.replyTo) : null, `<${mail.id}@${this.domain}>`],
        ...[
          template.priority,
          mail.notAfter ?? null,
          mail.about ?? null,
          mail.resendOf ?? null,
          template.isLast ?? false,
        ],
      ],
    );
    return rows.length > 0;
  }

  /** The same for mails of one campaign. What they say is written from the campaign when they are sent. */
  async addOfCampaign(tx: EntityManager, campaignId: string, mails: readonly CampaignMail[]): Promise<void> {
    await tx.query(
      `INSERT INTO mails (id, template, params, to_address, message_id, state, priority, next_attempt_at, about, campaign_id, subscriber_id)
       SELECT id, 'campaign', '{}', to_address, '<' || id || '@' || $2::text || '>', 'queued', $3, now(), 'campaign ' || $1::uuid, $1::uuid, subscriber_id
       FROM unnest($4::uuid[], $5::uuid[], $6::text[]) AS new (id, subscriber_id, to_address)
       ON CONFLICT (id) DO NOTHING`,
      [
        ...[campaignId, this.domain, campaignPriority],
        ...[
          mails.map(({ id }) => id),
          mails.map(({ subscriberId }) => subscriberId),
          mails.map(({ to }) => to),
        ],
      ],
    );
  }

  /** How many mails of campaigns are about to go out; those that a server wants later are not. */
  async campaignMailsInQueue(tx: EntityManager): Promise<number> {
    const [{ count }] = await tx.query<[{ count: string }]>(
      `SELECT count(*) FROM mails
       WHERE campaign_id IS NOT NULL AND (state = 'sending' OR state = 'queued' AND attempts = 0)`,
    );
    return Number(count);
  }

  /** What of it nobody has in hand is not sent any more. */
  async cancelCampaign(tx: EntityManager, campaignId: string): Promise<void> {
    await tx.query(
      `UPDATE mails SET state = 'cancelled', answer = 'The campaign was cancelled.', finished_at = now(), updated_at = now()
       WHERE campaign_id = $1 AND state = 'queued'`,
      [campaignId],
    );
  }

  announce(): void {
    for (const tell of this.arrivals) tell();
  }

  /** `tell` is called whenever this process added mails. */
  onArrival(tell: () => void): void {
    this.arrivals.add(tell);
  }

  /** Up to `count` mails whose time has come and that nobody has; first those that somebody waits for. Those of a paused campaign stay. */
  async lease(count: number): Promise<LeasedMail[]> {
    const [rows] = await this.dataSource.query<[LeasedMail[], number]>(
      `UPDATE mails SET state = 'sending', lease = $1, next_attempt_at = now() + $2 * interval '1 ms',
         attempts = attempts + 1, dated_at = coalesce(dated_at, now()), updated_at = now()
       WHERE id IN (
         SELECT id FROM mails WHERE state IN ('queued', 'sending') AND next_attempt_at <= now()
           AND (campaign_id IS NULL OR
             (SELECT campaigns.state FROM campaigns WHERE campaigns.id = campaign_id) IS DISTINCT FROM 'paused')
         ORDER BY priority, next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, template, params, to_address AS "to", reply_to AS "replyTo", message_id AS "messageId",
         campaign_id AS "campaignId", subscriber_id AS "subscriberId", dated_at AS date, not_after AS "notAfter",
         created_at AS "createdAt", lease, attempts`,
      [randomUUID(), this.settings.leaseMs, count],
    );
    return rows;
  }

  /** Goes on having them. */
  async renew(mails: readonly LeasedMail[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE mails SET next_attempt_at = now() + $2 * interval '1 ms'
       FROM unnest($1::uuid[], $3::uuid[]) AS mine (id, lease)
       WHERE mails.id = mine.id AND mails.lease = mine.lease AND state = 'sending'`,
      [mails.map(({ id }) => id), this.settings.leaseMs, mails.map(({ lease }) => lease)],
    );
  }

  /** Whether it is still to be sent, and by this process; if so, that holds for a whole lease from now. */
  async stillMine({ id, lease }: LeasedMail): Promise<boolean> {
    const [, held] = await this.dataSource.query<[unknown, number]>(
      `UPDATE mails SET next_attempt_at = now() + $3 * interval '1 ms'
       WHERE id = $1 AND lease = $2 AND state = 'sending' AND (campaign_id IS NULL OR EXISTS (
         SELECT 1 FROM campaigns, subscribers WHERE campaigns.id = campaign_id AND campaigns.state = 'sending'
           AND subscribers.id = subscriber_id AND subscribers.status = 'subscribed'))`,
      [id, lease, this.settings.leaseMs],
    );
    return held > 0;
  }

  /** It is done with: its secrets go, and its campaign counts it. */
  async finish(
    mail: LeasedMail,
    state: 'sent' | 'failed' | 'cancelled',
    answer: string,
    subject?: string,
  ): Promise<void> {
    await this.record(this.dataSource.manager, mail, state, answer, subject);
  }

  /** The server refused it for good because of its address, which gets no newsletter any more. */
  async refused(mail: LeasedMail, answer: string, subject: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      if (await this.record(tx, mail, 'failed', answer, subject))
        await this.suppressions.suppress(tx, mail.to, answer);
    });
  }

  /** False for a mail that is somebody else's now. */
  private async record(
    tx: EntityManager,
    { id, lease, template }: LeasedMail,
    state: 'sent' | 'failed' | 'cancelled',
    answer: string,
    subject?: string,
  ): Promise<boolean> {
    const secrets = isTemplate(template) ? templates[template].secrets : [];
    const recorded = await tx.query<unknown[]>(
      `WITH done AS (
         UPDATE mails SET state = $3, answer = $4, subject = coalesce($5, subject), lease = NULL, finished_at = now(),
           updated_at = now(), params = params - $6::text[], params_blanked = params ?| $6::text[]
         WHERE id = $1 AND lease = $2 RETURNING campaign_id, state),
       counted AS (
         UPDATE campaigns SET sent = sent + (done.state = 'sent')::int, failed = failed + (done.state = 'failed')::int,
           left_out = left_out + (done.state = 'cancelled')::int
         FROM done WHERE campaigns.id = done.campaign_id)
       SELECT 1 FROM done`,
      [id, lease, state, answer, subject ?? null, secrets],
    );
    return recorded.length > 0;
  }

  /** Gives it back, to be tried again after `pauseMs`. What was no attempt at it is not counted. */
  async postpone(
    { id, lease }: LeasedMail,
    pauseMs: number,
    { answer, counts }: { answer?: string; counts: boolean },
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE mails SET state = 'queued', lease = NULL, answer = coalesce($4, answer), updated_at = now(),
         attempts = attempts - $5, next_attempt_at = now() + $3 * interval '1 ms'
       WHERE id = $1 AND lease = $2`,
      [id, lease, pauseMs, answer ?? null, counts ? 0 : 1],
    );
  }

  /**
   * The other side says that it could not be delivered after all, in the caller's transaction; `isDead`: because of the address, which gets no newsletter any more. False for no
   * mail of ours, and for one that came back before.
   */
  async bounced(tx: EntityManager, id: string, answer: string, isDead: boolean): Promise<boolean> {
    const [mail] = await tx.query<{ to: string }[]>(
      `WITH back AS (
         UPDATE mails SET state = 'failed', answer = $2, bounced_at = now(), updated_at = now()
         WHERE id = $1 AND state = 'sent' AND bounced_at IS NULL RETURNING to_address, campaign_id),
       counted AS (UPDATE campaigns SET bounced = bounced + 1 FROM back WHERE campaigns.id = back.campaign_id)
       SELECT to_address AS "to" FROM back`,
      [id, answer],
    );
    if (mail && isDead) await this.suppressions.suppress(tx, mail.to, answer);
    return mail !== undefined;
  }

  /** With its angle brackets, or without. */
  async findByMessageId(
    tx: EntityManager,
    messageId: string,
  ): Promise<{ id: string; to: string; state: MailState } | undefined> {
    const [mail] = await tx.query<{ id: string; to: string; state: MailState }[]>(
      `SELECT id, to_address AS "to", state FROM mails WHERE message_id = $1`,
      [`<${messageId.trim().replace(/^<|>$/g, '')}>`],
    );
    return mail;
  }

  /** Cancels mails whose link has expired, and forgets what was done long ago (or a day ago, for a deleted account) and old counts of mails. */
  async sweep(): Promise<void> {
    await this.dataSource.query(
      `UPDATE mails SET state = 'cancelled', answer = 'The link expired before the e-mail could be sent.',
         finished_at = now(), updated_at = now(), lease = NULL, params = params - 'link', params_blanked = params ? 'link'
       WHERE state = 'queued' AND not_after < now()`,
    );
    let deleted: number;
    do {
      [, deleted] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM mails WHERE ctid = ANY (ARRAY(SELECT ctid FROM mails
           WHERE finished_at < now() - $1 * interval '1 ms' OR forget AND finished_at < now() - interval '1 day'
           LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
        [this.settings.keepMs],
      );
    } while (deleted === batch);
    await this.dataSource.query(
      `DELETE FROM recipient_mails WHERE sent_at < now() - $1 * interval '1 second'`,
      [recipientMailsKeptSeconds],
    );
  }

  async backlog(): Promise<{ waiting: number; oldestAgeSeconds: number }> {
    const [row] = await this.dataSource.query<[{ waiting: string; age: number | null }]>(
      `SELECT count(*) AS waiting, extract(epoch FROM now() - min(created_at))::float AS age
       FROM mails WHERE state IN ('queued', 'sending')`,
    );
    return { waiting: Number(row.waiting), oldestAgeSeconds: row.age ?? 0 };
  }
}
