import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { CampaignContent, campaignContract, HandlerInput, PageOf } from '#libs/contracts';
import { newestFirst, RecordLists, RecordRepository } from '#libs/database';
import { Clock } from '#libs/runtime';
import { campaignMailId } from './campaign-mail-id.js';
import { CampaignEntity } from './campaign.entity.js';

const batchSize = 5_000;

export interface Recipient {
  subscriberId: string;
  /** Null if they are no longer subscribed. */
  email: string | null;
}

/** `campaign_recipients` holds people whose mail of a campaign is not in the queue yet. It has no entity, because its rows are only moved in bulk. */
@Injectable()
export class CampaignRepository extends RecordRepository<CampaignEntity> {
  constructor(
    dataSource: DataSource,
    clock: Clock,
    private readonly lists: RecordLists,
  ) {
    super(CampaignEntity, dataSource, clock);
  }

  list({
    state,
    ...request
  }: HandlerInput<typeof campaignContract.listCampaigns>): Promise<PageOf<CampaignEntity>> {
    return this.lists.page(CampaignEntity, request, {
      order: newestFirst,
      searched: ['subject'],
      filter: (records) => state && records.andWhere({ state }),
    });
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(CampaignEntity, id);
  }

  async content(id: string): Promise<CampaignContent> {
    const [content] = await this.dataSource.sql<[CampaignContent]>`
      SELECT subject, preheader, body FROM campaigns WHERE id = ${id}`;
    return content;
  }

  /** The secret that signs the subscriber's links; null if they are no longer subscribed. Undefined unless the campaign is being sent or paused. */
  async linkSecretOf(campaignId: string, subscriberId: string): Promise<string | null | undefined> {
    const [recipient] = await this.dataSource.sql<{ linkSecret: string | null }[]>`
      SELECT link_secret AS "linkSecret"
      FROM campaigns LEFT JOIN subscribers ON subscribers.id = ${subscriberId} AND status = 'subscribed'
      WHERE campaigns.id = ${campaignId} AND state IN ('sending', 'paused')`;
    return recipient?.linkSecret;
  }

  /**
   * Counts an unsubscription through a link of this campaign. The campaign in a link is not signed, so only its recipients are counted. Somebody who
   * signed up again after the campaign's mail is not counted, because they must have unsubscribed before.
   */
  async incrementUnsubscribed(
    tx: EntityManager,
    id: string,
    { id: subscriberId, confirmedAt }: { id: string; confirmedAt: Date | null },
  ): Promise<void> {
    if (!isUuid(id)) return;
    await tx.sql`
      UPDATE campaigns SET unsubscribed = unsubscribed + 1
      WHERE id = ${id} AND EXISTS (
        SELECT 1 FROM mails WHERE id = ${campaignMailId(id, subscriberId)}
          AND created_at >= coalesce(${confirmedAt}::timestamptz, '-infinity'))`;
  }

  /** Also true if only paused campaigns have rows in `campaign_recipients`, although there is nothing to do then. */
  async hasWork(): Promise<boolean> {
    const [{ hasWork }] = await this.dataSource.sql<[{ hasWork: boolean }]>`
      SELECT EXISTS (SELECT 1 FROM campaigns WHERE state = 'sending' OR state = 'scheduled' AND scheduled_at <= now())
        OR EXISTS (SELECT 1 FROM campaign_recipients) AS "hasWork"`;
    return hasWork;
  }

  async startDue(tx: EntityManager): Promise<void> {
    await tx.sql`
      UPDATE campaigns SET state = 'sending', started_at = now(), updated_at = now(), version = version + 1
      WHERE state = 'scheduled' AND scheduled_at <= now()`;
  }

  /**
   * True if there may be more recipients to gather. Gathering can go on long after the start, because a campaign can be paused. Only people who had
   * subscribed by the start are recipients.
   */
  async gatherRecipients(tx: EntityManager): Promise<boolean> {
    const [campaign] = await tx.sql<{ id: string; startedAt: Date; after: string | null }[]>`
      SELECT id, started_at AS "startedAt", gathered_to AS after FROM campaigns
      WHERE state = 'sending' AND NOT gathered ORDER BY started_at, id LIMIT 1`;
    if (!campaign) return false;
    const { id, startedAt, after } = campaign;
    const gathered = await tx.sql<{ id: string }[]>`
      WITH found AS (
        SELECT id FROM subscribers WHERE status = 'subscribed' AND (${after}::uuid IS NULL OR id > ${after}::uuid)
          AND coalesce(confirmed_at, created_at) <= ${startedAt}
        ORDER BY id LIMIT ${batchSize}),
      stored AS (
        INSERT INTO campaign_recipients (campaign_id, subscriber_id) SELECT ${id}, id FROM found)
      SELECT id FROM found ORDER BY id`;
    await tx.sql`
      UPDATE campaigns SET recipients = recipients + ${gathered.length},
        gathered_to = coalesce(${gathered.at(-1)?.id}::uuid, gathered_to), gathered = ${gathered.length < batchSize}
      WHERE id = ${id}`;
    return true;
  }

  /** True if there may be more. */
  async deleteRecipientsOfCancelled(tx: EntityManager): Promise<boolean> {
    const [, deleted] = await tx.sql<[unknown, number]>`
      DELETE FROM campaign_recipients WHERE (campaign_id, subscriber_id) IN (
        SELECT campaign_id, subscriber_id FROM campaign_recipients JOIN campaigns ON campaigns.id = campaign_id
        WHERE state = 'cancelled' LIMIT ${batchSize})`;
    return deleted === batchSize;
  }

  /** The id of the campaign that started first. */
  async nextWithRecipients(tx: EntityManager): Promise<string | undefined> {
    const [next] = await tx.sql<{ id: string }[]>`
      SELECT id FROM campaigns WHERE state = 'sending'
        AND EXISTS (SELECT 1 FROM campaign_recipients WHERE campaign_id = campaigns.id)
      ORDER BY started_at, id LIMIT 1`;
    return next?.id;
  }

  takeRecipients(tx: EntityManager, id: string, limit: number): Promise<Recipient[]> {
    return tx.sql`
      WITH taken AS (
        DELETE FROM campaign_recipients WHERE campaign_id = ${id} AND subscriber_id IN (
          SELECT subscriber_id FROM campaign_recipients WHERE campaign_id = ${id} ORDER BY subscriber_id LIMIT ${limit})
        RETURNING subscriber_id)
      SELECT subscriber_id AS "subscriberId", email FROM taken
      LEFT JOIN subscribers ON subscribers.id = subscriber_id AND status = 'subscribed'`;
  }

  async incrementLeftOut(tx: EntityManager, id: string, by: number): Promise<void> {
    await tx.sql`UPDATE campaigns SET left_out = left_out + ${by} WHERE id = ${id}`;
  }

  async finishSent(tx: EntityManager): Promise<void> {
    await tx.sql`
      UPDATE campaigns SET state = 'sent', finished_at = now(), updated_at = now(), version = version + 1
      WHERE state = 'sending' AND gathered AND recipients = sent + failed + left_out`;
  }
}
