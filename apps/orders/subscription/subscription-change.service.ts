import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { subscriptionChanged, type SubscriptionNews } from '#libs/contracts';
import { Outbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { BillingClock } from '../payment/billing-clock.js';
import {
  atMoment,
  stepsBetween,
  type SubscriptionFacts,
  type SubscriptionStep,
} from './subscription-state.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSettings } from './subscription-settings.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { SubscriptionRepository } from './subscription.repository.js';

interface Origin {
  /** Who asked for it; null for what happens by itself. */
  by?: { email: string; accountId: string } | null;
  /** Default: true. Only who has just read the provider's charges knows that none is, so that the grace period may end. */
  isChargePending?: boolean;
  traceparent?: string | undefined;
}

/** The only service that changes existing subscriptions, so that every change has its timeline entries, figures and events. */
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
   * Changes a locked subscription and `subscription` itself, together with what is due by the billing clock. `also` are things that happened besides
   * those that follow from the change. Returns whether anything changed.
   */
  async apply(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    change: Partial<SubscriptionFacts>,
    { by = null, isChargePending = true, traceparent }: Origin = {},
    also: readonly SubscriptionStep[] = [],
  ): Promise<boolean> {
    const now = this.billing.now();
    const { graceMs } = this.settings;
    const before = factsOf(subscription);
    const after = atMoment({ ...before, ...change }, { now, graceMs, isChargePending });
    const steps = [...also, ...stepsBetween(before, after)];
    const isChanged = steps.length > 0 || hasChanged(before, after);
    if (!isChanged) return false;
    await this.subscriptions.update(tx, subscription, {
      ...after,
      version: subscription.version + 1,
      updatedAt: this.clock.now(),
    });
    await this.subscriptions.append(tx, subscription.id, now, steps, by);
    for (const { news } of steps) if (news) await this.announce(tx, subscription, news, traceparent);
    return true;
  }

  private announce(
    tx: EntityManager,
    { id: subscriptionId, accountId, version }: SubscriptionEntity,
    news: SubscriptionNews,
    traceparent: string | undefined,
  ): Promise<void> {
    const origin = traceparent === undefined ? {} : { traceparent };
    return this.outbox.append(tx, subscriptionChanged, { subscriptionId, accountId, version, news }, origin);
  }
}

function hasChanged(before: SubscriptionFacts, after: SubscriptionFacts): boolean {
  const names = Object.keys(after) as (keyof SubscriptionFacts)[];
  return names.some((name) => before[name]?.valueOf() !== after[name]?.valueOf());
}

export function factsOf(subscription: SubscriptionEntity): SubscriptionFacts {
  const { state, providerStatus, wanted, wantedBecause, endReason, packageName, priceCents } = subscription;
  const { startedAt, cycles, nextChargeAt, paidUntil, pastDueSince, retryAt, outstandingCents, reminders } =
    subscription;
  const { endsAt, endedAt, changePackage, changeCents, changeBy, changeApprovableFrom } = subscription;
  const { changeAppliesFrom, changeApproved, changeTold } = subscription;
  return {
    ...{ state, providerStatus, wanted, wantedBecause, endReason, packageName, priceCents },
    ...{ startedAt, cycles, nextChargeAt, paidUntil, pastDueSince, retryAt, outstandingCents, reminders },
    ...{ endsAt, endedAt, changePackage, changeCents, changeBy, changeApprovableFrom },
    ...{ changeAppliesFrom, changeApproved, changeTold },
  };
}
