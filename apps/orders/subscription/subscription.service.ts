import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type HandlerInputs,
  type Output,
  type PageOf,
  type PlanSubscription,
  planSubscriptionContract,
  type SubscriptionAction,
} from '#libs/contracts';
import { type AuditedChange, AuditTrail, Inbox } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { Handles, type RequestContext } from '#libs/transport';
import { dollarsOf } from '../money/price.js';
import { type Person, personOf, type RecordRelation } from '../access/person.js';
import { RecordAccess, refusePayers, uncheckedRelationOf } from '../access/record-access.js';
import { BuyerCalls, StoppedWaiting } from '../payment/attempt/buyer-calls.js';
import { BillingClock } from '../payment/billing-clock.js';
import { isProvidersFault, RefusedByProvider } from '../payment/payment-provider.js';
import { PaymentProviders } from '../payment/payment-providers.js';
import type { SubscriptionProvider } from '../payment/subscription-provider.js';
import { SubscriptionChangeService } from './subscription-change.service.js';
import { SubscriptionInquiryService } from './subscription-inquiry.service.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSettings } from './subscription-settings.js';
import { afterCancellation, afterResumption, type SubscriptionFacts } from './subscription-state.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository, type SubscriptionSelection } from './subscription.repository.js';
import { actionsOf, subscriptionName, subscriptionView } from './subscription.view.js';

type Input = HandlerInputs<typeof planSubscriptionContract>;
/** How long a caller waits for an inquiry. A cancellation may wait for two, and the gateway waits ten seconds for the answer. */
const waitMs = 4_000;

type ChangeAnswer = Output<typeof planSubscriptionContract.cancelPlanSubscription>;

interface FoundSubscription {
  subscription: SubscriptionEntity;
  relation: RecordRelation;
}

@Injectable()
export class SubscriptionService {
  constructor(
    private readonly inbox: Inbox,
    private readonly access: RecordAccess,
    private readonly subscriptions: SubscriptionRepository,
    private readonly changes: SubscriptionChangeService,
    private readonly inquiries: SubscriptionInquiryService,
    private readonly calls: BuyerCalls,
    private readonly providers: PaymentProviders,
    private readonly billing: BillingClock,
    private readonly audit: AuditTrail,
    @Inject(SUBSCRIPTION_SETTINGS) private readonly settings: SubscriptionSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handles(planSubscriptionContract.getRenewalOffer)
  getRenewalOffer(): Promise<{ available: boolean }> {
    return Promise.resolve({ available: this.providers.forPlans !== undefined });
  }

  @Handles(planSubscriptionContract.listPlanSubscriptions)
  async list(
    { own, customer, ...request }: Input['listPlanSubscriptions'],
    { actor }: RequestContext,
  ): Promise<PageOf<PlanSubscription>> {
    const person = personOf(actor);
    const accountIds = await this.access.ownerIdsFor(person, { own, customer });
    const selection: SubscriptionSelection = { ...request, ...(accountIds && { accountIds }) };
    const { items, ...page } = await this.subscriptions.list(selection);
    const views = items.map((subscription) =>
      this.view({ subscription, relation: uncheckedRelationOf(person, subscription.accountId) }),
    );
    return { ...page, items: views };
  }

  @Handles(planSubscriptionContract.getPlanSubscription)
  async get({ id }: { id: string }, { actor }: RequestContext): Promise<PlanSubscription> {
    return this.view(await this.getVisible(id, personOf(actor)));
  }

  @Handles(planSubscriptionContract.getSubscriptionForService)
  async getForService({ id }: { id: string }): Promise<PlanSubscription> {
    const subscription = await this.subscriptions.find(id);
    if (!subscription) throw new DomainError('NOT_FOUND');
    // Leaves out what only admins may see.
    return this.view({ subscription, relation: 'customer' });
  }

  @Handles(planSubscriptionContract.getPlanSubscriptionTimeline)
  async timeline({ id }: { id: string }, { actor }: RequestContext) {
    const { relation } = await this.getVisible(id, personOf(actor));
    const entries = await this.subscriptions.listTimeline(id);
    return entries.map(({ id: _id, at, text, by }) => ({
      ...{ _id, at: at.toISOString(), text, by: relation === 'admin' ? by : null },
    }));
  }

  /** Called, for example, when a customer comes back from the provider. Needs no inbox: a second inquiry changes nothing more. */
  @Handles(planSubscriptionContract.refreshPlanSubscription)
  async refresh({ id }: { id: string }, context: RequestContext): Promise<PlanSubscription> {
    const person = personOf(context.actor);
    await this.getVisible(id, person);
    await this.inquireNow(id, context);
    return this.view(await this.getVisible(id, person));
  }

  @Handles(planSubscriptionContract.cancelPlanSubscription)
  async cancel(
    { id, when }: Input['cancelPlanSubscription'],
    context: RequestContext,
  ): Promise<ChangeAnswer> {
    const { paidUntil } = (await this.getVisible(id, personOf(context.actor))).subscription;
    // The next month may have been charged a moment ago. If so, the plan ends only after that month.
    if (when === 'at_end' && paidUntil !== null && paidUntil <= this.billing.now())
      await this.inquireNow(id, context);
    return this.change(id, context, when === 'now' ? 'cancel_now' : 'cancel', (subscription, { role }) => ({
      ...(when === 'now'
        ? { desiredStatus: 'cancelled' as const }
        : afterCancellation(subscription, this.billing.now())),
      endReason: role,
    }));
  }

  @Handles(planSubscriptionContract.resumePlanSubscription)
  resume({ id }: { id: string }, context: RequestContext): Promise<ChangeAnswer> {
    return this.change(id, context, 'resume', (subscription) => {
      const { endsAt } = subscription;
      if (endsAt !== null && endsAt <= this.billing.now()) throw impossible();
      return afterResumption(subscription);
    });
  }

  @Handles(planSubscriptionContract.pausePlanSubscription)
  pause({ id }: { id: string }, context: RequestContext): Promise<ChangeAnswer> {
    return this.change(id, context, 'pause', () => ({
      desiredStatus: 'stopped',
      desiredStatusReason: 'paused',
    }));
  }

  @Handles(planSubscriptionContract.retryPlanSubscription)
  async retry({ id }: { id: string }, context: RequestContext): Promise<ChangeAnswer> {
    const storedReply = await this.inbox.findReply<ChangeAnswer>(context);
    if (storedReply) return storedReply;
    const person = personOf(context.actor);
    const before = await this.findForRetry(id, person, context);
    if (before) {
      const { reference, outstandingCents } = before;
      const charge = async (api: SubscriptionProvider) => {
        await this.reserveRetry(id, outstandingCents, context);
        return api.chargeOutstanding(reference, outstandingCents, context.requestId);
      };
      const refusalSentence = (label: string) =>
        `${label} couldn’t take the payment. Please change the payment method there, then try again.`;
      const failure = await this.callProvider(before, context, charge, refusalSentence).catch(
        (error: unknown) => error,
      );
      if (failure instanceof DomainError && failure.code === 'IDEMPOTENCY_KEY_REUSED') throw failure;
      await this.inquireNow(id, context);
      // Even if the call failed, the amount may have been charged: by the request whose answer was lost, or by the provider on its own.
      const { subscription, relation } = await this.getVisible(id, person);
      const isUnpaid = actionsOf(subscription, relation).includes('retry');
      if (failure !== undefined && isUnpaid) throw failure as Error;
    }
    return this.inbox.once(context, async (tx) => ({
      record: this.view(await this.getVisible(id, person, tx)),
      // Inquiries, not this command, store what the charge has changed.
      modified: false,
    }));
  }

  /**
   * Null if no payment is outstanding any more, for example because the customer has paid in the meantime. Throws INVALID_TRANSITION if the plan has
   * ended, if the provider has nothing to collect, for example while a payment is still being confirmed, or if it refuses to say; UNAVAILABLE if it
   * does not answer.
   */
  private async findForRetry(
    id: string,
    person: Person,
    context: RequestContext,
  ): Promise<SubscriptionEntity | null> {
    const { subscription: stored } = await this.getFor('retry', id, person);
    if (stored.outstandingCents > 0) return stored;
    // The stored amount may be out of date.
    const isUpToDate = await this.inquireNow(id, context);
    const { subscription, relation } = await this.getVisible(id, person);
    if (subscription.state === 'ended') throw impossible();
    if (!actionsOf(subscription, relation).includes('retry')) return null;
    if (subscription.outstandingCents > 0) return subscription;
    throw isUpToDate ? nothingToCollect() : notAnswering(this.providers.get(stored.provider).label);
  }

  /**
   * Throws IDEMPOTENCY_KEY_REUSED if the request's id was used for another retry, even one that failed. Records an admin's retry in the audit log.
   * All this comes before the charge, because the provider may take the money even if we get no answer.
   */
  private async reserveRetry(id: string, cents: number, context: RequestContext): Promise<void> {
    const { actor, requestId, fingerprint } = context;
    await this.inbox.once({ requestId: `${requestId}:retry`, fingerprint }, async (tx) => {
      if (actor.role !== 'admin') return;
      const { subscription } = await this.getVisible(id, personOf(actor), tx);
      const values = { before: {}, after: { chargeRetried: dollarsOf(cents) } };
      await this.recordInAuditLog(tx, context, subscription, values);
    });
  }

  /**
   * Waits for at most `waitMs`; the inquiry then goes on without the caller. If it fails after that, `BuyerCalls` logs the failure, and a scheduled
   * inquiry follows. Returns whether the provider has answered, even if it has refused to.
   */
  private async inquireNow(id: string, context: RequestContext): Promise<boolean> {
    const inquire = () => this.inquiries.inquire(id, context.traceparent);
    try {
      await this.calls.run(context, inquire, { subscriptionId: id }, waitMs);
      return true;
    } catch (error) {
      if (error instanceof StoppedWaiting) return false;
      if (!isProvidersFault(error)) throw error;
      this.logger.warn({ subscriptionId: id, reason: error.message }, 'An inquiry about a plan failed');
      return error instanceof RefusedByProvider;
    }
  }

  /**
   * Stores what `decide` returns, then runs an inquiry, which makes the same change at the provider. Throws NOT_FOUND; FORBIDDEN for payers;
   * INVALID_TRANSITION if the action is not possible now.
   */
  private async change(
    id: string,
    context: RequestContext,
    action: SubscriptionAction,
    decide: (subscription: SubscriptionEntity, person: Person) => Partial<SubscriptionFacts>,
  ): Promise<ChangeAnswer> {
    const person = personOf(context.actor);
    const changed = await this.inbox.once(context, async (tx) => {
      const found = await this.getFor(action, id, person, tx);
      const { subscription } = found;
      const { state } = subscription;
      const by = { email: person.email, accountId: person.accountId };
      const modified = await this.changes.apply(tx, subscription, decide(subscription, person), {
        ...{ by, traceparent: context.traceparent },
      });
      if (modified) await this.subscriptions.scheduleInquiry(tx, { id }, this.billing.now());
      await this.recordInAuditLog(tx, context, subscription, {
        before: { state },
        after: { state: subscription.state },
      });
      return { record: this.view(found), modified };
    });
    await this.inquireNow(id, context);
    return { ...changed, record: this.view(await this.getVisible(id, person)) };
  }

  private async recordInAuditLog(
    tx: EntityManager,
    { actor }: RequestContext,
    subscription: SubscriptionEntity,
    values: Pick<AuditedChange, 'before' | 'after'>,
  ): Promise<void> {
    await this.audit.record(tx, actor, {
      ...{
        section: 'planSubscription',
        recordId: subscription.id,
        name: subscriptionName(subscription),
        change: 'updated',
      },
      ...values,
    });
  }

  /**
   * With `tx`, locks the subscription. Throws NOT_FOUND; FORBIDDEN for payers, who may only retry; INVALID_TRANSITION if the action is not possible
   * now.
   */
  async getFor(
    action: SubscriptionAction,
    id: string,
    person: Person,
    tx?: EntityManager,
  ): Promise<FoundSubscription> {
    const found = await this.getVisible(id, person, tx);
    if (actionsOf(found.subscription, found.relation).includes(action)) return found;
    if (action !== 'retry') refusePayers(found.relation);
    throw impossible();
  }

  /** Throws UNAVAILABLE if the provider does not answer; INVALID_TRANSITION, with the `refusalSentence`, if it refuses. */
  async callProvider<T>(
    { provider, id }: SubscriptionEntity,
    context: RequestContext,
    call: (api: SubscriptionProvider) => Promise<T>,
    refusalSentence: (label: string) => string,
  ): Promise<T> {
    const { subscriptions: api, label } = this.providers.get(provider);
    try {
      return await this.calls.run(context, () => call(api!), { subscriptionId: id });
    } catch (error) {
      if (!isProvidersFault(error)) throw error;
      this.logger.warn(
        { subscriptionId: id, reason: error.message },
        'A request to the provider about a plan failed',
      );
      if (error instanceof RefusedByProvider)
        throw new DomainError('INVALID_TRANSITION', {}, refusalSentence(label));
      throw notAnswering(label);
    }
  }

  /** With `tx`, locks the subscription. Throws NOT_FOUND, also for one that the person may not see. */
  private async getVisible(id: string, person: Person, tx?: EntityManager): Promise<FoundSubscription> {
    const subscription = await (tx ? this.subscriptions.lock(tx, id) : this.subscriptions.find(id));
    if (!subscription) throw new DomainError('NOT_FOUND');
    return { subscription, relation: await this.access.relationOf(person, subscription.accountId, tx) };
  }

  private view({ subscription, relation }: FoundSubscription): PlanSubscription {
    const { graceMs } = this.settings;
    const paymentMethodUrl = this.providers.get(subscription.provider).subscriptions?.paymentMethodUrl ?? '';
    return subscriptionView(subscription, { relation, graceMs, paymentMethodUrl });
  }
}

function notAnswering(label: string): DomainError {
  const sentence = `${label} isn’t answering at the moment. Please try again in a minute.`;
  return new DomainError('UNAVAILABLE', { retryAfterSeconds: 10 }, sentence);
}

function nothingToCollect(): DomainError {
  const sentence = 'There’s nothing to collect right now. A payment may still be on its way.';
  return new DomainError('INVALID_TRANSITION', {}, sentence);
}

function impossible(): DomainError {
  return new DomainError('INVALID_TRANSITION', {}, 'That isn’t possible for this monthly plan right now.');
}
