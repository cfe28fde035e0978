import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { subscriptionChanged, type SubscriptionNews } from '#libs/contracts';
import { Outbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { BillingClock } from '../payment/billing-clock.js';
import {
  areEqual,
  afterDueChanges,
  factsOf,
  stepsBetween,
  type SubscriptionFacts,
  type SubscriptionStep,
} from './subscription-state.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSettings } from './subscription-settings.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

interface ChangeContext {
  by?: { email: string; accountId: string } | null;
  /** Default: true. Only an inquiry knows that no charge is pending, so only an inquiry ends the grace period. */
  isChargePending?: boolean;
  traceparent?: string | undefined;
}

/**
 * Only this service changes the facts of existing subscriptions (`SubscriptionFacts`), so that no timeline entry and no event is forgotten. The
 * monthly revenue figures are sums over the timeline.
 */
@Injectable()
export class SubscriptionChangeService {
  constructor(
    private readonly outbox: Outbox,
    private readonly subscriptions: SubscriptionRepository,
    private readonly billing: BillingClock,
    private readonly clock: Clock,
    @Inject(SUBSCRIPTION_SETTINGS) private readonly settings: SubscriptionSettings,
  ) {}

  /**
   * Changes a locked subscription, in the database and in the object `subscription`. Also makes the changes that are due by the billing clock.
   * Returns whether anything changed.
   */
  async apply(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    change: Partial<SubscriptionFacts>,
    { by = null, isChargePending = true, traceparent }: ChangeContext = {},
    extraSteps: readonly SubscriptionStep[] = [],
  ): Promise<boolean> {
    const now = this.billing.now();
    const { graceMs } = this.settings;
    const before = factsOf(subscription);
    const after = afterDueChanges({ ...before, ...change }, { now, graceMs, isChargePending });
    // Steps that were due without this change have no author.
    const due = stepsBetween(before, afterDueChanges(before, { now, graceMs, isChargePending }));
    const isDue = ({ text }: SubscriptionStep) => due.some((step) => step.text === text);
    const steps = [...extraSteps, ...stepsBetween(before, after)].map((step) => ({
      ...step,
      by: isDue(step) ? null : by,
    }));
    if (steps.length === 0 && areEqual(before, after)) return false;
    await this.subscriptions.update(tx, subscription, {
      ...after,
      version: subscription.version + 1,
      updatedAt: this.clock.now(),
    });
    await this.subscriptions.appendToTimeline(tx, subscription.id, now, steps);
    for (const { news } of steps) if (news) await this.announce(tx, subscription, news, traceparent);
    return true;
  }

  private announce(
    tx: EntityManager,
    { id: subscriptionId, accountId, version }: SubscriptionEntity,
    news: SubscriptionNews,
    traceparent: string | undefined,
  ): Promise<void> {
    const options = traceparent === undefined ? {} : { traceparent };
    return this.outbox.append(tx, subscriptionChanged, { subscriptionId, accountId, version, news }, options);
  }
}
