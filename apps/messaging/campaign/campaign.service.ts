import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type Campaign,
  type CampaignAudience,
  type CampaignContent,
  campaignContract,
  type CampaignState,
  type CampaignSummary,
  DomainError,
  type EmailPreview,
  furthestScheduleMs,
  type HandlerInputs,
  type PageOf,
} from '#libs/contracts';
import { type AuditedChange, AuditTrail, Inbox, type RecordSelection } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { MAIL_SETTINGS, type MailSettings } from '../config.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MailRepository } from '../mail/mail.repository.js';
import { renderHtml } from '../mail/render-html.js';
import { renderText } from '../mail/render-text.js';
import { TestMailService } from '../mail/test-mail.service.js';
import { BrandService } from '../site/brand.service.js';
import { SubscriberRepository } from '../subscriber/subscriber.repository.js';
import { campaignTestTemplate, sampleEmail } from './campaign-email.js';
import type { CampaignEntity } from './campaign.entity.js';
import { CampaignRepository } from './campaign.repository.js';
import { CampaignWorker } from './campaign.worker.js';

type Input = HandlerInputs<typeof campaignContract>;

interface ChangeResult {
  record: Campaign;
  modified: boolean;
}

@Injectable()
export class CampaignService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly campaigns: CampaignRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly mails: MailRepository,
    private readonly queue: MailQueue,
    private readonly testMails: TestMailService,
    private readonly brand: BrandService,
    private readonly worker: CampaignWorker,
    private readonly clock: Clock,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  @Handles(campaignContract.listCampaigns)
  async list(request: Input['listCampaigns']): Promise<PageOf<CampaignSummary>> {
    const { items, ...page } = await this.campaigns.list(request);
    return { ...page, items: items.map(summaryView) };
  }

  @Handles(campaignContract.getCampaign)
  async get({ id }: Input['getCampaign']): Promise<Campaign> {
    return view(await this.campaigns.get(id));
  }

  @Handles(campaignContract.getCampaignAudience)
  async audience(): Promise<CampaignAudience> {
    const recipients = await this.subscribers.countSubscribed();
    return { recipients, perMinute: this.settings.campaignPerMinute };
  }

  @Handles(campaignContract.previewCampaign)
  async preview(content: CampaignContent): Promise<EmailPreview> {
    const brand = await this.brand.current();
    const email = sampleEmail(content, brand);
    return { subject: email.subject, html: renderHtml(email, brand), text: renderText(email, brand) };
  }

  @Handles(campaignContract.createCampaign)
  create(content: CampaignContent, context: RequestContext): Promise<Campaign> {
    return this.inbox.once(context, async (tx) => {
      const draft = this.campaigns.make({ ...content, state: 'draft' });
      await this.campaigns.insert(tx, draft);
      const campaign = (await this.campaigns.find(draft.id, tx))!;
      await this.recordChange(tx, context, campaign, { change: 'created', before: null, after: content });
      return view(campaign);
    });
  }

  @Handles(campaignContract.updateCampaign)
  update(
    { id, ifVersion, ...content }: Input['updateCampaign'],
    context: RequestContext,
  ): Promise<ChangeResult> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.lock(tx, { id, ifVersion }, ['draft']);
      const before = contentOf(campaign);
      if (Object.entries(content).every(([field, value]) => before[field as keyof CampaignContent] === value))
        return { record: view(campaign), modified: false };
      await this.campaigns.update(tx, campaign, content);
      await this.recordChange(tx, context, campaign, { change: 'updated', before, after: content });
      return { record: view(campaign), modified: true };
    });
  }

  @Handles(campaignContract.deleteCampaign)
  remove(selection: RecordSelection, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.lock(tx, selection, ['draft']);
      await this.campaigns.delete(tx, campaign.id);
      const before = contentOf(campaign);
      await this.recordChange(tx, context, campaign, { change: 'deleted', before, after: null });
      return { _id: campaign.id };
    });
  }

  @Handles(campaignContract.testCampaign)
  test({ id }: Input['testCampaign'], context: RequestContext): Promise<{ _id: string; to: string }> {
    return this.testMails.send(context, 'campaignTest', campaignTestTemplate, async (tx) => ({
      // A copy, because the campaign may change before the mail is sent.
      params: { ...contentOf(await this.lock(tx, { id })) },
      about: `campaign ${id}`,
    }));
  }

  @Handles(campaignContract.sendCampaign)
  async send({ at, ...selection }: Input['sendCampaign'], context: RequestContext): Promise<ChangeResult> {
    const changed = await this.transition(selection, context, ['draft'], () => ({
      state: 'scheduled',
      scheduledAt: scheduledTime(at, this.clock.now()),
    }));
    this.worker.runSoon();
    return changed;
  }

  @Handles(campaignContract.pauseCampaign)
  pause(selection: RecordSelection, context: RequestContext): Promise<ChangeResult> {
    return this.transition(selection, context, ['sending'], () => ({ state: 'paused' }));
  }

  @Handles(campaignContract.resumeCampaign)
  async resume(selection: RecordSelection, context: RequestContext): Promise<ChangeResult> {
    const changed = await this.transition(selection, context, ['paused'], () => ({ state: 'sending' }));
    this.worker.runSoon();
    this.queue.wakeWorker();
    return changed;
  }

  /** Turns a scheduled campaign into a draft again; ends one that is being sent or is paused. */
  @Handles(campaignContract.cancelCampaign)
  async cancel(selection: RecordSelection, context: RequestContext): Promise<ChangeResult> {
    const states: CampaignState[] = ['scheduled', 'sending', 'paused'];
    const changed = await this.transition(selection, context, states, async ({ id, state }, tx) => {
      if (state === 'scheduled') return { state: 'draft', scheduledAt: null };
      await this.mails.cancelForCampaign(tx, id);
      return { state: 'cancelled', finishedAt: this.clock.now() };
    });
    // The worker deletes the recipients for whom no mail was queued yet.
    this.worker.runSoon();
    return changed;
  }

  private transition(
    selection: RecordSelection,
    context: RequestContext,
    from: readonly CampaignState[],
    changesFor: (
      campaign: CampaignEntity,
      tx: EntityManager,
    ) => Partial<CampaignEntity> | Promise<Partial<CampaignEntity>>,
  ): Promise<ChangeResult> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.lock(tx, selection, from);
      const before = stateOf(campaign);
      await this.campaigns.update(tx, campaign, await changesFor(campaign, tx));
      await this.recordChange(tx, context, campaign, { change: 'updated', before, after: stateOf(campaign) });
      return { record: view(campaign), modified: true };
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  private async lock(
    tx: EntityManager,
    selection: RecordSelection,
    states?: readonly CampaignState[],
  ): Promise<CampaignEntity> {
    const campaign = await this.campaigns.lock(tx, selection, view);
    if (states && !states.includes(campaign.state)) throw new DomainError('INVALID_TRANSITION');
    return campaign;
  }

  private recordChange(
    tx: EntityManager,
    { actor }: RequestContext,
    { id, subject }: CampaignEntity,
    change: Pick<AuditedChange, 'change' | 'before' | 'after'>,
  ): Promise<void> {
    return this.audit.record(tx, actor, { section: 'campaign', recordId: id, name: subject, ...change });
  }
}

function contentOf({ subject, preheader, body }: CampaignEntity): CampaignContent {
  return { subject, preheader, body };
}

function scheduledTime(at: string | undefined, now: Date): Date {
  if (at === undefined) return now;
  const aheadMs = Date.parse(at) - now.getTime();
  if (aheadMs >= 0 && aheadMs <= furthestScheduleMs) return new Date(at);
  const message = aheadMs < 0 ? 'must be in the future' : 'must be within a year';
  throw DomainError.invalid([{ field: 'at', message }]);
}

function stateOf({ state, scheduledAt }: CampaignEntity) {
  return { state, scheduledAt: scheduledAt?.toISOString() ?? null };
}

function summaryView(campaign: CampaignEntity): CampaignSummary {
  const { body: _, ...summary } = view(campaign);
  return summary;
}

function view(campaign: CampaignEntity): Campaign {
  const { recipients, sent, failed, bounced, unsubscribed } = campaign;
  // The mails of a cancelled campaign that were still waiting count as left out.
  const leftOut = campaign.state === 'cancelled' ? recipients - sent - failed : campaign.leftOut;
  return {
    _id: campaign.id,
    ...contentOf(campaign),
    state: campaign.state,
    scheduledAt: campaign.scheduledAt?.toISOString() ?? null,
    startedAt: campaign.startedAt?.toISOString() ?? null,
    finishedAt: campaign.finishedAt?.toISOString() ?? null,
    counts: {
      recipients,
      sent,
      waiting: recipients - sent - failed - leftOut,
      failed,
      leftOut,
      bounced,
      unsubscribed,
    },
    createdAt: campaign.createdAt.toISOString(),
    updatedAt: campaign.updatedAt.toISOString(),
    version: campaign.version,
  };
}
