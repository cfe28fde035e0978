import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, Mail, mailContract, PageOf } from '#libs/contracts';
import { newestFirst, RecordLists } from '#libs/database';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailEntity } from './mail.entity.js';

const batchSize = 1_000;

/** SQL for the addresses in a mail: the recipient's, and that of the person whom the mail is about. The params have it under one of these names. */
export const mailAddressesSql = [
  'to_address',
  `params->>'emailAddress'`,
  `params->>'email'`,
  `params->>'customerEmail'`,
] as const;

/** A function, because TypeORM's `sql` tag inserts a function's result verbatim. */
const lowerAddresses = () => mailAddressesSql.map((address) => `lower(${address})`).join(', ');

export interface CampaignMail {
  id: string;
  subscriberId: string;
  to: string;
  messageId: string;
}

/** Statements about sending are in `DeliveryRepository`. */
@Injectable()
export class MailRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: RecordLists,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /** Does nothing if there is a mail with this id. */
  async insert(tx: EntityManager, mail: Partial<Omit<MailEntity, 'state' | 'nextAttemptAt'>>): Promise<void> {
    await tx
      .createQueryBuilder()
      .insert()
      .into(MailEntity)
      .values({
        ...(mail as QueryDeepPartialEntity<MailEntity>),
        state: 'queued',
        nextAttemptAt: () => 'now()',
      })
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** With priority 2, so that all other mails are sent first. Does nothing for a mail that exists already. */
  async insertForCampaign(
    tx: EntityManager,
    campaignId: string,
    mails: readonly CampaignMail[],
  ): Promise<void> {
    await tx.sql`
      INSERT INTO mails (id, template, params, to_address, message_id, state, priority, next_attempt_at, about, campaign_id, subscriber_id)
      SELECT id, 'campaign', '{}', to_address, message_id, 'queued', 2, now(), ${`campaign ${campaignId}`}, ${campaignId}::uuid, subscriber_id
      FROM unnest(
        ${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ subscriberId }) => subscriberId)}::uuid[],
        ${mails.map(({ to }) => to)}::text[], ${mails.map(({ messageId }) => messageId)}::text[]
      ) AS new (id, subscriber_id, to_address, message_id)
      ON CONFLICT (id) DO NOTHING`;
  }

  async copy(tx: EntityManager, id: string, copy: { id: string; messageId: string }): Promise<void> {
    await tx.sql`
      INSERT INTO mails (id, message_id, resend_of, template, params, to_address, reply_to, priority, about, forget, state, next_attempt_at)
      SELECT ${copy.id}, ${copy.messageId}, id, template, params, to_address, reply_to, priority, about, forget, 'queued', now()
      FROM mails WHERE id = ${id}`;
  }

  async find(manager: EntityManager, id: string): Promise<MailEntity | null> {
    return isUuid(id) ? manager.findOneBy(MailEntity, { id }) : null;
  }

  /** `messageId` may lack the angle brackets. */
  findByMessageId(tx: EntityManager, messageId: string): Promise<MailEntity | null> {
    return tx.findOneBy(MailEntity, { messageId: `<${messageId.trim().replace(/^<|>$/g, '')}>` });
  }

  list({
    state,
    campaign,
    about,
    ...request
  }: HandlerInput<typeof mailContract.listMails>): Promise<PageOf<MailEntity>> {
    return this.lists.page(MailEntity, request, {
      order: newestFirst,
      searched: ['to', 'subject'],
      filter: (records) => {
        if (state) records.andWhere({ state });
        if (campaign) records.andWhere({ campaignId: campaign });
        // `campaignId: IsNull()` lets Postgres use the partial index `mails_by_subject`, which is on the column `about`.
        if (about) records.andWhere({ about, campaignId: IsNull() });
      },
    });
  }

  /** `address` is in lower case. */
  newestTo(address: string, limit: number): Promise<MailEntity[]> {
    return this.dataSource
      .createQueryBuilder(MailEntity, 'mail')
      .where('lower(mail.to) = :address', { address })
      .orderBy('mail.createdAt', 'DESC')
      .addOrderBy('mail.id', 'DESC')
      .take(limit)
      .getMany();
  }

  /** By id, for mails that still exist. */
  async states(
    manager: EntityManager,
    ids: readonly string[],
  ): Promise<Map<string, Pick<Mail, 'state' | 'bouncedAt'>>> {
    const mails = await manager.find(MailEntity, {
      select: { id: true, state: true, bouncedAt: true },
      where: { id: In(ids) },
    });
    return new Map(
      mails.map(({ id, state, bouncedAt }) => [id, { state, bouncedAt: bouncedAt?.toISOString() ?? null }]),
    );
  }

  /** Mails of a paused campaign wait without a fault, so their age does not count. After a resumption, it counts from then. */
  async backlog(): Promise<{ waiting: number; oldestAgeSeconds: number }> {
    const [row] = await this.dataSource.sql<[{ waiting: number; oldestAgeSeconds: number }]>`
      SELECT count(*)::int AS waiting,
        coalesce(extract(epoch FROM now() - min(greatest(mails.created_at, campaigns.updated_at)) FILTER (
          WHERE campaigns.state IS DISTINCT FROM 'paused')), 0)::float AS "oldestAgeSeconds"
      FROM mails LEFT JOIN campaigns ON campaigns.id = mails.campaign_id WHERE mails.state IN ('queued', 'sending')`;
    return row;
  }

  /** Of the mails that were created in the last seven days. */
  async countFailed(): Promise<number> {
    const [{ failed }] = await this.dataSource.sql<[{ failed: number }]>`
      SELECT count(*)::int AS failed FROM mails
      WHERE state = 'failed' AND created_at > now() - interval '7 days'`;
    return failed;
  }

  /**
   * Campaign mails that are being sent, or are queued and not tried yet. Mails of paused campaigns, and those that a server has deferred, are not
   * counted: they stay in the queue for an unknown time, and must not hold up another campaign.
   */
  async countOutgoingOfCampaigns(tx: EntityManager): Promise<number> {
    const [{ count }] = await tx.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM mails JOIN campaigns ON campaigns.id = mails.campaign_id
      WHERE campaigns.state <> 'paused' AND (mails.state = 'sending' OR mails.state = 'queued' AND mails.attempts = 0)`;
    return count;
  }

  /** Not for leased mails: `DeliveryRepository.confirm` stops each just before it is sent, because its campaign is cancelled. */
  async cancelForCampaign(tx: EntityManager, campaignId: string): Promise<void> {
    await tx.sql`
      UPDATE mails SET state = 'cancelled', answer = 'The campaign was cancelled.', finished_at = now(), updated_at = now()
      WHERE campaign_id = ${campaignId} AND state = 'queued'`;
  }

  async cancelExpired(): Promise<void> {
    await this.dataSource.sql`
      UPDATE mails SET state = 'cancelled', answer = 'The link expired before the e-mail could be sent.',
        finished_at = now(), updated_at = now(), lease = NULL, params = params - 'link', params_blanked = params ? 'link'
      WHERE state = 'queued' AND not_after < now()`;
  }

  /** Mails marked `forget` are kept for one day after they finished. */
  async deleteOld(): Promise<void> {
    let deleted: number;
    do {
      [, deleted] = await this.dataSource.sql<[unknown, number]>`
        DELETE FROM mails WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM mails
          WHERE finished_at < now() - ${this.settings.keepMs} * interval '1 ms' OR forget AND finished_at < now() - interval '1 day'
          LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`;
    } while (deleted === batchSize);
  }

  /**
   * Deletes the finished mails to and about a person who has deleted their account, and a queued `confirmSubscription` mail to them. Other
   * unfinished mails are still sent, and marked `forget`. Finished mails that were already marked stay until `deleteOld`. `address` is in lower
   * case, and null if it was not verified. The params of mails about orders, plans and projects have the account id of the customer, or of the
   * reader if the mail is about unread messages. Such a mail also has the ids of the authors, from the moment at which it is composed.
   */
  async deleteForPerson(
    tx: EntityManager,
    { accountId, address }: { accountId: string; address: string | null },
  ): Promise<void> {
    await tx.sql`
      DELETE FROM mails
      WHERE state = 'queued' AND template = 'confirmSubscription' AND lower(to_address) = ${address}`;
    await tx.sql`
      UPDATE mails SET forget = true WHERE finished_at IS NULL
        AND (${address} IN (${lowerAddresses}) OR params->>'accountId' = ${accountId} OR params->'authors' ? ${accountId})`;
    await tx.sql`
      DELETE FROM mails WHERE finished_at IS NOT NULL AND NOT forget
        AND (${address} IN (${lowerAddresses}) OR params->>'accountId' = ${accountId} OR params->'authors' ? ${accountId})`;
  }
}
