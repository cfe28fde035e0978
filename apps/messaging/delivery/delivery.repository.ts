import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { MAIL_SETTINGS, type Mailbox, type MailSettings } from '../config.js';

export interface LeasedMail {
  id: string;
  template: string;
  params: Record<string, unknown>;
  to: string;
  replyTo: Mailbox | null;
  messageId: string;
  campaignId: string | null;
  subscriberId: string | null;
  /** When the mail was first leased; also the value of its `Date` header. */
  date: Date;
  /** `date`, or when its campaign was last started or resumed (`campaigns.updated_at`), whichever was later. */
  tryingSince: Date;
  notAfter: Date | null;
  createdAt: Date;
  lease: string;
  /** Including this one. */
  attempts: number;
}

export interface FinalState {
  state: 'sent' | 'failed' | 'cancelled';
  /** The mail server's last answer, or why there was none. */
  answer: string;
  subject?: string;
  /** The names of the params to delete. */
  secrets?: readonly string[];
}

/** A leased mail has the state `sending`, and `next_attempt_at` is the end of its lease. */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /** Leases the most urgent of the mails that are due, in no particular order. Skips mails of paused campaigns. */
  async lease(count: number): Promise<LeasedMail[]> {
    const [mails] = await this.dataSource.sql<[LeasedMail[], number]>`
      UPDATE mails SET state = 'sending', lease = ${randomUUID()}, next_attempt_at = now() + ${this.settings.leaseMs} * interval '1 ms',
        attempts = attempts + 1, dated_at = coalesce(dated_at, now()), updated_at = now()
      WHERE id IN (
        SELECT id FROM mails WHERE state IN ('queued', 'sending') AND next_attempt_at <= now()
          AND (campaign_id IS NULL OR
            (SELECT campaigns.state FROM campaigns WHERE campaigns.id = campaign_id) IS DISTINCT FROM 'paused')
        ORDER BY priority, next_attempt_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id, template, params, to_address AS "to", reply_to AS "replyTo", message_id AS "messageId",
        campaign_id AS "campaignId", subscriber_id AS "subscriberId", dated_at AS date, not_after AS "notAfter",
        greatest(dated_at, (SELECT campaigns.updated_at FROM campaigns WHERE campaigns.id = campaign_id)) AS "tryingSince",
        created_at AS "createdAt", lease, attempts`;
    return mails;
  }

  async renew(mails: readonly LeasedMail[]): Promise<void> {
    await this.dataSource.sql`
      UPDATE mails SET next_attempt_at = now() + ${this.settings.leaseMs} * interval '1 ms'
      FROM unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ lease }) => lease)}::uuid[]) AS held (id, lease)
      WHERE mails.id = held.id AND mails.lease = held.lease AND state = 'sending'`;
  }

  /** Renews the lease. False if it was lost, the mail's campaign is not being sent, or the recipient no longer subscribes to the newsletter. */
  async confirm({ id, lease }: LeasedMail): Promise<boolean> {
    const [, confirmed] = await this.dataSource.sql<[unknown, number]>`
      UPDATE mails SET next_attempt_at = now() + ${this.settings.leaseMs} * interval '1 ms'
      WHERE id = ${id} AND lease = ${lease} AND state = 'sending' AND (campaign_id IS NULL OR EXISTS (
        SELECT 1 FROM campaigns, subscribers WHERE campaigns.id = campaign_id AND campaigns.state = 'sending'
          AND subscribers.id = subscriber_id AND subscribers.status = 'subscribed'))`;
    return confirmed > 0;
  }

  /** Stores which accounts wrote the mail's messages. The subject may name them, so deleting such an account also deletes the mail. */
  async setAuthors({ id, lease }: LeasedMail, authors: readonly string[]): Promise<void> {
    await this.dataSource.sql`
      UPDATE mails SET params = params || jsonb_build_object('authors', ${authors}::text[])
      WHERE id = ${id} AND lease = ${lease}`;
  }

  /** Ends a mail and counts it for its campaign. False if this process no longer has the mail's lease. */
  async finish(
    { id, lease }: LeasedMail,
    { state, answer, subject, secrets = [] }: FinalState,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    const finished = await manager.sql<unknown[]>`
      WITH finished AS (
        UPDATE mails SET state = ${state}, answer = ${answer}, subject = coalesce(${subject}, subject), lease = NULL,
          finished_at = now(), updated_at = now(),
          params = params - ${secrets}::text[], params_blanked = params ?| ${secrets}::text[]
        WHERE id = ${id} AND lease = ${lease} RETURNING campaign_id, state),
      counted AS (
        UPDATE campaigns SET sent = sent + (finished.state = 'sent')::int, failed = failed + (finished.state = 'failed')::int,
          left_out = left_out + (finished.state = 'cancelled')::int
        FROM finished WHERE campaigns.id = finished.campaign_id)
      SELECT 1 FROM finished`;
    return finished.length > 0;
  }

  /**
   * Returns a mail to the queue, which sends it after `pauseMs`. `counts` means that this was an attempt to send it. False if this process no longer
   * has the mail's lease.
   */
  async postpone(
    { id, lease }: LeasedMail,
    pauseMs: number,
    { answer, counts }: { answer?: string; counts: boolean },
  ): Promise<boolean> {
    const [, postponed] = await this.dataSource.sql<[unknown, number]>`
      UPDATE mails SET state = 'queued', lease = NULL, answer = coalesce(${answer}, answer), updated_at = now(),
        attempts = attempts - ${counts ? 0 : 1}, next_attempt_at = now() + ${pauseMs} * interval '1 ms'
      WHERE id = ${id} AND lease = ${lease}`;
    return postponed > 0;
  }

  /** Returns the mail's address; undefined if the mail is unknown, was not sent, or has bounced before. */
  async markBounced(tx: EntityManager, id: string, answer: string): Promise<string | undefined> {
    const [mail] = await tx.sql<{ to: string }[]>`
      WITH bounced AS (
        UPDATE mails SET state = 'failed', answer = ${answer}, bounced_at = now(), updated_at = now()
        WHERE id = ${id} AND state = 'sent' AND bounced_at IS NULL RETURNING to_address, campaign_id),
      counted AS (
        UPDATE campaigns SET bounced = campaigns.bounced + 1 FROM bounced WHERE campaigns.id = bounced.campaign_id)
      SELECT to_address AS "to" FROM bounced`;
    return mail?.to;
  }
}
