import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isConnectionError, transaction } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { PeriodicTask } from '#libs/runtime';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailRepository } from '../mail/mail.repository.js';
import { campaignMailId } from './campaign-mail-id.js';
import { CampaignPace } from './campaign-pace.js';
import { CampaignRepository } from './campaign.repository.js';

/** Queues the mails of campaigns. Runs in every replica of messaging, but only the one that has locked the row of `campaign_pace` works. */
@Injectable()
export class CampaignWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly campaigns: CampaignRepository,
    private readonly pace: CampaignPace,
    private readonly queue: MailQueue,
    private readonly mails: MailRepository,
    @Inject(MAIL_SETTINGS) { pollMs }: MailSettings,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.task = new PeriodicTask({
      everyMs: pollMs,
      run: () => this.work(),
      onError: (error) => {
        // The readiness check reports an unreachable Postgres.
        if (!isConnectionError(error)) logger.error({ err: error }, 'Campaigns could not be sent');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
    this.task.runSoon();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.task.stop();
  }

  /** Call it when a campaign has changed. */
  runSoon(): void {
    this.task.runSoon();
  }

  private async work(): Promise<void> {
    if (!(await this.campaigns.hasWork())) return;
    while (!this.stopping && (await this.step()) === 'more');
  }

  /** 'done' even if another replica has the turn, or the allowance or the queue's limit leaves recipients for the next poll. */
  private async step(): Promise<'more' | 'done'> {
    const result = await transaction(this.dataSource, async (tx) => {
      const turn = await this.pace.takeTurn(tx);
      if (!turn) return { more: false, used: 0 };
      await this.campaigns.startDue(tx);
      const more =
        (await this.campaigns.gatherRecipients(tx)) || (await this.campaigns.deleteRecipientsOfCancelled(tx));
      const used = await this.queueMails(tx, turn.allowance);
      await this.pace.endTurn(tx, turn, used);
      await this.campaigns.finishSent(tx);
      return { more, used };
    });
    if (result.used > 0) this.queue.wakeWorker();
    return result.more ? 'more' : 'done';
  }

  /** Returns how much of the allowance it used. Recipients who are no longer subscribed count, too. */
  private async queueMails(tx: EntityManager, allowance: number): Promise<number> {
    const room = this.pace.queueLimit - (await this.mails.countOutgoingOfCampaigns(tx));
    let left = Math.floor(Math.min(allowance, room));
    let used = 0;
    while (left > 0) {
      const campaignId = await this.campaigns.nextWithRecipients(tx);
      if (campaignId === undefined) break;
      const count = await this.queueMailsOf(tx, campaignId, left);
      used += count;
      left -= count;
    }
    return used;
  }

  /** Returns how many recipients it took. Those who are no longer subscribed get no mail. */
  private async queueMailsOf(tx: EntityManager, campaignId: string, limit: number): Promise<number> {
    const taken = await this.campaigns.takeRecipients(tx, campaignId, limit);
    const mails = taken.flatMap(({ subscriberId, email: to }) =>
      to === null ? [] : [{ id: campaignMailId(campaignId, subscriberId), subscriberId, to }],
    );
    await this.queue.addForCampaign(tx, campaignId, mails);
    if (mails.length < taken.length)
      await this.campaigns.incrementLeftOut(tx, campaignId, taken.length - mails.length);
    return taken.length;
  }
}
