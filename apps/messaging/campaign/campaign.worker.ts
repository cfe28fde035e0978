import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isConnectionError, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { MailQueue } from '../mail/mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';
import { campaignMailId } from './campaign-figures.js';
import { CampaignPace } from './campaign-pace.js';

/** Of one transaction. */
const gatheredAtOnce = 5_000;

/**
 * Takes campaigns from their moment to their end: it notes who is subscribed, and then hands their mails to the queue, a few seconds' worth at
 * a time and no faster than the settings say. Any number of processes may run: the one that has the row of `campaign_pace` locked works.
 */
@Injectable()
export class CampaignRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: MailQueue,
    private readonly pace: CampaignPace,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), this.settings.pollMs);
    this.timer.unref();
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.looking;
  }

  /** Does what there is to do now, and once more if this was asked for meanwhile. */
  look(): void {
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = this.work()
      .catch((error: unknown) => {
        // Postgres gone is the readiness check's to tell.
        if (!isConnectionError(error)) this.logger.error({ err: error }, 'Campaigns cannot go on');
      })
      .finally(() => {
        this.looking = undefined;
        if (!this.lookAgain || this.stopping) return;
        this.lookAgain = false;
        this.look();
      });
  }

  private async work(): Promise<void> {
    if (!(await this.isNeeded())) return;
    while (!this.stopping && (await this.step()) === 'more');
  }

  private async isNeeded(): Promise<boolean> {
    const [{ needed }] = await this.dataSource.query<[{ needed: boolean }]>(
      `SELECT EXISTS (SELECT 1 FROM campaigns WHERE state = 'sending' OR state = 'scheduled' AND scheduled_at <= now())
         OR EXISTS (SELECT 1 FROM campaign_recipients) AS needed`,
    );
    return needed;
  }

  /** One transaction, and not a long one. */
  private async step(): Promise<'more' | 'done'> {
    const done = await transaction(this.dataSource, async (tx) => {
      const turn = await this.pace.takeTurn(tx);
      if (!turn) return { more: false, queued: 0 };
      await begin(tx);
      const more = (await gather(tx)) || (await forget(tx));
      const queued = await this.queueSome(tx, turn.allowance);
      await this.pace.endTurn(tx, turn, queued);
      await finish(tx);
      return { more, queued };
    });
    if (done.queued > 0) this.queue.announce();
    return done.more ? 'more' : 'done';
  }

  private async queueSome(tx: EntityManager, allowance: number): Promise<number> {
    let room = Math.floor(Math.min(allowance, this.pace.bound - (await this.queue.campaignMailsInQueue(tx))));
    let queued = 0;
    while (room > 0) {
      const [next] = await tx.query<{ id: string }[]>(
        `SELECT id FROM campaigns WHERE state = 'sending'
           AND EXISTS (SELECT 1 FROM campaign_recipients WHERE campaign_id = campaigns.id)
         ORDER BY started_at, id LIMIT 1`,
      );
      if (!next) break;
      const count = await this.queueOf(tx, next.id, room);
      queued += count;
      room -= count;
    }
    return queued;
  }

  /** Up to `atMost` mails of one campaign. Who has left meanwhile gets none. */
  private async queueOf(tx: EntityManager, campaignId: string, atMost: number): Promise<number> {
    const taken = await tx.query<{ subscriberId: string; to: string | null }[]>(
      `WITH taken AS (
         DELETE FROM campaign_recipients WHERE campaign_id = $1 AND subscriber_id IN (
           SELECT subscriber_id FROM campaign_recipients WHERE campaign_id = $1 ORDER BY subscriber_id LIMIT $2)
         RETURNING subscriber_id)
       SELECT subscriber_id AS "subscriberId", email AS "to" FROM taken
       LEFT JOIN subscribers ON subscribers.id = subscriber_id AND status = 'subscribed'`,
      [campaignId, atMost],
    );
    const mails = taken.flatMap(({ subscriberId, to }) =>
      to === null ? [] : [{ id: campaignMailId(campaignId, subscriberId), subscriberId, to }],
    );
    await this.queue.addOfCampaign(tx, campaignId, mails);
    if (mails.length < taken.length) {
      await tx.query(`UPDATE campaigns SET left_out = left_out + $2 WHERE id = $1`, [
        campaignId,
        taken.length - mails.length,
      ]);
    }
    return taken.length;
  }
}

/** Those whose moment has come. */
async function begin(tx: EntityManager): Promise<void> {
  await tx.query(
    `UPDATE campaigns SET state = 'sending', started_at = now(), updated_at = now(), version = version + 1
     WHERE state = 'scheduled' AND scheduled_at <= now()`,
  );
}

/** Notes who gets a campaign that has begun, part by part. True while there may be more to note. */
async function gather(tx: EntityManager): Promise<boolean> {
  const [campaign] = await tx.query<{ id: string; to: string | null }[]>(
    `SELECT id, gathered_to AS "to" FROM campaigns WHERE state = 'sending' AND NOT gathered
     ORDER BY started_at, id LIMIT 1`,
  );
  if (!campaign) return false;
  const { id, to } = campaign;
  const noted = await tx.query<{ subscriberId: string }[]>(
    `WITH found AS (
       SELECT id FROM subscribers WHERE status = 'subscribed' AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT ${gatheredAtOnce}),
     noted AS (
       INSERT INTO campaign_recipients (campaign_id, subscriber_id) SELECT $1, id FROM found)
     SELECT id AS "subscriberId" FROM found ORDER BY id`,
    [id, to],
  );
  const isLast = noted.length < gatheredAtOnce;
  await tx.query(
    `UPDATE campaigns SET recipients = recipients + $2, gathered_to = coalesce($3::uuid, gathered_to), gathered = $4 WHERE id = $1`,
    [id, noted.length, noted.at(-1)?.subscriberId ?? null, isLast],
  );
  return true;
}

/** Who was to get what was cancelled. True while there may be more of them. */
async function forget(tx: EntityManager): Promise<boolean> {
  const [, forgotten] = await tx.query<[unknown, number]>(
    `DELETE FROM campaign_recipients WHERE (campaign_id, subscriber_id) IN (
       SELECT campaign_id, subscriber_id FROM campaign_recipients JOIN campaigns ON campaigns.id = campaign_id
       WHERE state = 'cancelled' LIMIT ${gatheredAtOnce})`,
  );
  return forgotten === gatheredAtOnce;
}

/** Those of which nobody waits any more. */
async function finish(tx: EntityManager): Promise<void> {
  await tx.query(
    `UPDATE campaigns SET state = 'sent', finished_at = now(), updated_at = now(), version = version + 1
     WHERE state = 'sending' AND gathered AND recipients = sent + failed + left_out`,
  );
}
