import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type Campaign,
  type CampaignAudience,
  type CampaignContent,
  type campaignContract,
  type CampaignPreview,
  type CampaignState,
  type CampaignSummary,
  DomainError,
  furthestScheduleMs,
  type HandlerInput,
  type PageOf,
} from '#libs/contracts';
import {
  AuditTrail,
  boundedSearch,
  containing,
  Inbox,
  listPage,
  ListTotals,
  newestFirst,
  uuidv7,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { renderHtml } from '../mail/letters/render-html.js';
import { renderText } from '../mail/letters/render-text.js';
import { MailQueue } from '../mail/mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from '../mail/mail-settings.js';
import { SiteBrand } from '../site/site-brand.js';
import { campaignLetter } from './campaign-letter.js';
import { CampaignEntity } from './campaign.entity.js';
import { CampaignRunner } from './campaign-runner.js';

interface Chosen {
  id: string;
  /** The version that the caller has seen; any will do without it. */
  ifVersion?: number;
}

interface Changed {
  record: Campaign;
  modified: boolean;
}

/** What admins do with campaigns. `CampaignRunner` sends them. */
@Injectable()
export class CampaignService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly totals: ListTotals,
    private readonly audit: AuditTrail,
    private readonly queue: MailQueue,
    private readonly brand: SiteBrand,
    private readonly runner: CampaignRunner,
    @Inject(MAIL_SETTINGS) private readonly settings: MailSettings,
  ) {}

  /** INVALID_INPUT, UNAVAILABLE for a search that takes too long. */
  list({
    search,
    state,
    ...request
  }: HandlerInput<typeof campaignContract.list>): Promise<PageOf<CampaignSummary>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(CampaignEntity, 'campaign');
      if (state) chosen.where({ state });
      if (search) chosen.andWhere('campaign.subject ILIKE :pattern', { pattern: containing(search) });
      const total = await this.totals.of(chosen);
      const { items, nextCursor } = await listPage(chosen, request, newestFirst);
      return { items: items.map(summaryView), total, nextCursor };
    });
  }

  /** NOT_FOUND. */
  async item(id: string): Promise<Campaign> {
    const campaign = isUuid(id) ? await this.dataSource.manager.findOneBy(CampaignEntity, { id }) : null;
    if (!campaign) throw new DomainError('NOT_FOUND');
    return view(campaign);
  }

  async audience(): Promise<CampaignAudience> {
    const [{ count }] = await this.dataSource.query<[{ count: string }]>(
      `SELECT count(*) FROM subscribers WHERE status = 'subscribed'`,
    );
    return { recipients: Number(count), perMinute: this.settings.campaignPerMinute };
  }

  /** As it would arrive; the link to unsubscribe is nobody's. */
  async preview(content: CampaignContent): Promise<CampaignPreview> {
    const brand = await this.brand.current();
    const letter = {
      ...campaignLetter(content, brand),
      unsubscribeUrl: `${this.settings.publicUrl}/unsubscribe`,
    };
    return { subject: letter.subject, html: renderHtml(letter, brand), text: renderText(letter, brand) };
  }

  create(content: CampaignContent, context: RequestContext): Promise<Campaign> {
    return this.inbox.once(context, async (tx) => {
      const now = new Date();
      const id = uuidv7();
      await tx.insert(CampaignEntity, {
        ...content,
        id,
        state: 'draft',
        version: 1,
        createdAt: now,
        updatedAt: now,
      });
      const campaign = await tx.findOneByOrFail(CampaignEntity, { id });
      await this.record(tx, context, campaign, { change: 'created', before: null, after: content });
      return view(campaign);
    });
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  update({ id, ifVersion, ...body }: Chosen & CampaignContent, context: RequestContext): Promise<Changed> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.hold(tx, { id, ifVersion }, ['draft']);
      const before = contentOf(campaign);
      if (Object.entries(body).every(([field, value]) => before[field as keyof CampaignContent] === value))
        return { record: view(campaign), modified: false };
      Object.assign(campaign, body);
      await this.save(tx, campaign);
      await this.record(tx, context, campaign, { change: 'updated', before, after: body });
      return { record: view(campaign), modified: true };
    });
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  remove(chosen: Chosen, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.hold(tx, chosen, ['draft']);
      await tx.delete(CampaignEntity, campaign.id);
      await this.record(tx, context, campaign, {
        change: 'deleted',
        before: contentOf(campaign),
        after: null,
      });
      return { _id: campaign.id };
    });
  }

  /** NOT_FOUND, FORBIDDEN for who has no address. */
  async test(id: string, context: RequestContext): Promise<{ _id: string; to: string }> {
    const { actor } = context;
    if (!('email' in actor)) throw new DomainError('FORBIDDEN');
    const sent = await this.inbox.once(context, async (tx) => {
      const { subject, preheader, body } = await this.hold(tx, { id });
      const mailId = uuidv7();
      await this.queue.add(tx, {
        id: mailId,
        template: 'campaignTest',
        // As it is now: it may be changed before the mail goes out.
        params: { subject, preheader, body },
        to: actor.email,
        about: `campaign ${id}`,
      });
      return { _id: mailId, to: actor.email };
    });
    this.queue.announce();
    return sent;
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION, INVALID_INPUT. */
  async send({ at, ...chosen }: Chosen & { at?: string }, context: RequestContext): Promise<Changed> {
    const changed = await this.move(chosen, context, ['draft'], (campaign) => {
      campaign.state = 'scheduled';
      campaign.scheduledAt = at === undefined ? new Date() : momentToCome(at);
    });
    this.runner.look();
    return changed;
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  pause(chosen: Chosen, context: RequestContext): Promise<Changed> {
    return this.move(chosen, context, ['sending'], (campaign) => {
      campaign.state = 'paused';
    });
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  async resume(chosen: Chosen, context: RequestContext): Promise<Changed> {
    const changed = await this.move(chosen, context, ['paused'], (campaign) => {
      campaign.state = 'sending';
    });
    this.runner.look();
    this.queue.announce();
    return changed;
  }

  /** NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  async cancel(chosen: Chosen, context: RequestContext): Promise<Changed> {
    const changed = await this.move(
      chosen,
      context,
      ['scheduled', 'sending', 'paused'],
      async (campaign, tx) => {
        if (campaign.state === 'scheduled') {
          campaign.state = 'draft';
          campaign.scheduledAt = null;
          return;
        }
        campaign.state = 'cancelled';
        campaign.finishedAt = new Date();
        await this.queue.cancelCampaign(tx, campaign.id);
      },
    );
    this.runner.look();
    return changed;
  }

  /** From one of these states to what `change` makes of it. */
  private move(
    chosen: Chosen,
    context: RequestContext,
    from: readonly CampaignState[],
    change: (campaign: CampaignEntity, tx: EntityManager) => void | Promise<void>,
  ): Promise<Changed> {
    return this.inbox.once(context, async (tx) => {
      const campaign = await this.hold(tx, chosen, from);
      const before = stateOf(campaign);
      await change(campaign, tx);
      await this.save(tx, campaign);
      await this.record(tx, context, campaign, { change: 'updated', before, after: stateOf(campaign) });
      return { record: view(campaign), modified: true };
    });
  }

  /** The campaign, locked until the transaction ends. Throws NOT_FOUND, VERSION_MISMATCH, INVALID_TRANSITION. */
  private async hold(
    tx: EntityManager,
    { id, ifVersion }: Chosen,
    states?: readonly CampaignState[],
  ): Promise<CampaignEntity> {
    const campaign = isUuid(id)
      ? await tx.findOne(CampaignEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
      : null;
    if (!campaign) throw new DomainError('NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== campaign.version)
      throw new DomainError('VERSION_MISMATCH', { current: view(campaign) });
    if (states && !states.includes(campaign.state)) throw new DomainError('INVALID_TRANSITION');
    return campaign;
  }

  private async save(tx: EntityManager, campaign: CampaignEntity): Promise<void> {
    campaign.version += 1;
    campaign.updatedAt = new Date();
    await tx.save(campaign);
  }

  private record(
    tx: EntityManager,
    { actor }: RequestContext,
    { id, subject }: CampaignEntity,
    change: Pick<Parameters<AuditTrail['record']>[2], 'change' | 'before' | 'after'>,
  ): Promise<void> {
    return this.audit.record(tx, actor, { section: 'campaign', recordId: id, name: subject, ...change });
  }
}

function contentOf({ subject, preheader, body }: CampaignEntity): CampaignContent {
  return { subject, preheader, body };
}

/** INVALID_INPUT. */
function momentToCome(at: string): Date {
  const aheadMs = Date.parse(at) - Date.now();
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
  // Of one that was cancelled nobody waits.
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
