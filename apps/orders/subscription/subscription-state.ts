import type { SubscriptionEndReason, SubscriptionNews, SubscriptionState } from '#libs/contracts';
import type { ProviderSubscription } from '../payment/subscription-provider.js';
import { chargeDate } from './billing-dates.js';
import type { SubscriptionEntity } from './subscription.entity.js';

const factNames = [
  ...([
    'state',
    'providerStatus',
    'desiredStatus',
    'desiredStatusReason',
    'endReason',
    'packageName',
  ] as const),
  ...(['priceCents', 'startedAt', 'cycles', 'nextChargeAt', 'paidUntil', 'pastDueSince'] as const),
  ...(['retryAt', 'outstandingCents', 'reminders', 'endsAt', 'endedAt', 'changePackage'] as const),
  ...(['changeCents', 'changeBy', 'changeApprovableFrom', 'changeAppliesFrom'] as const),
  ...(['changeApproved', 'changeApprovalRequested'] as const),
] as const;

export type SubscriptionFacts = Pick<SubscriptionEntity, (typeof factNames)[number]>;

export function factsOf(subscription: SubscriptionEntity): SubscriptionFacts {
  return Object.fromEntries(factNames.map((name) => [name, subscription[name]])) as SubscriptionFacts;
}

export function areEqual(one: SubscriptionFacts, other: SubscriptionFacts): boolean {
  return factNames.every((name) => one[name]?.valueOf() === other[name]?.valueOf());
}

export interface SubscriptionStep {
  text: string;
  news?: SubscriptionNews;
  /** The change of the monthly recurring revenue. */
  movement?: { kind: RevenueMovement; cents: number };
}
export type RevenueMovement = 'new' | 'expansion' | 'contraction' | 'churned';

const dayMs = 86_400_000;
/** After a failed charge. */
export const reminderDays = [3, 7];

/** No pending change of package or price. */
const noChange = {
  ...{ changePackage: null, changeCents: null, changeBy: null, changeApprovableFrom: null },
  ...{ changeAppliesFrom: null, changeApproved: false, changeApprovalRequested: false },
} as const;

/** The customer gets the service and has paid at least once, so that the price counts as recurring revenue. */
export function isInService({ state, cycles }: Pick<SubscriptionFacts, 'state' | 'cycles'>): boolean {
  return cycles > 0 && (state === 'active' || state === 'past_due' || state === 'ending');
}

/**
 * Whether the plan was cancelled and continues until `endsAt`. A plan that was paused before its cancellation keeps the reason `paused`. Otherwise, a
 * customer who takes the cancellation back would lift the pause, and only admins may do that.
 */
export function isEnding({
  desiredStatusReason,
  endsAt,
}: Pick<SubscriptionFacts, 'desiredStatusReason' | 'endsAt'>): boolean {
  return desiredStatusReason === 'ending' || (desiredStatusReason === 'paused' && endsAt !== null);
}

/**
 * The facts after reading the plan at the provider. `receivedCharges` counts the charges received since the plan began. `newPriceChargedAt` is when
 * the provider first charged a price that differs from the known one.
 */
export function afterReading(
  before: SubscriptionFacts,
  atProvider: ProviderSubscription,
  {
    receivedCharges,
    now,
    newPriceChargedAt = null,
  }: { receivedCharges: number; now: Date; newPriceChargedAt?: Date | null | undefined },
): SubscriptionFacts {
  const after = { ...before, providerStatus: atProvider.status, cycles: receivedCharges };
  after.outstandingCents = atProvider.outstandingCents;
  after.retryAt = atProvider.retryAt;
  if (atProvider.isPastDue) after.pastDueSince ??= atProvider.failedAt ?? now;
  else Object.assign(after, { pastDueSince: null, reminders: 0 });
  if (atProvider.status === 'charging') {
    after.nextChargeAt = atProvider.nextChargeAt;
    if (!atProvider.isPastDue && receivedCharges > 0)
      after.paidUntil = atProvider.nextChargeAt ?? before.paidUntil;
  } else {
    // The plan may have been charged once more before the provider stopped charging.
    const due = before.nextChargeAt ?? before.startedAt;
    if (receivedCharges > before.cycles && due <= now)
      after.paidUntil = chargeDate(due, 1, before.startedAt.getUTCDate());
  }
  // Another charge was made before the provider stopped the plan: the customer has paid for one more month.
  if (isEnding(before) && receivedCharges > before.cycles) after.endsAt = after.paidUntil;
  // Somebody has stopped or cancelled the plan at the provider, not through this site: the desired status follows.
  const wasCharging = before.providerStatus === 'charging' && before.desiredStatus === 'charging';
  if (atProvider.status === 'stopped' && wasCharging)
    Object.assign(after, {
      desiredStatus: 'stopped',
      desiredStatusReason: atProvider.isPastDue ? 'unpaid' : 'paused',
    });
  else if (atProvider.status === 'cancelled' && before.desiredStatus !== 'cancelled' && !isEnding(before))
    Object.assign(after, afterCancellation(after, now), { endReason: 'provider' });
  const { terms } = atProvider;
  // The provider charges what the customer has approved there, even if we no longer ask for it.
  const areTermsNew =
    terms !== null && !hasTerms(before, terms) && !(before.changeApproved && hasChangeTo(before, terms));
  if (areTermsNew && before.state !== 'ended')
    Object.assign(after, {
      ...{ changePackage: terms.packageName, changeCents: terms.priceCents, changeApproved: true },
      // The customer may have approved a change other than the announced one.
      changeBy: hasChangeTo(before, terms) ? before.changeBy : 'customer',
      changeAppliesFrom: newPriceChargedAt ?? atProvider.nextChargeAt ?? before.changeAppliesFrom ?? now,
    });
  return after;
}

/** Service continues until the end of the paid period, unless the period is over or a charge is outstanding. */
export function afterCancellation(
  {
    paidUntil,
    pastDueSince,
    desiredStatusReason,
  }: Pick<SubscriptionFacts, 'paidUntil' | 'pastDueSince' | 'desiredStatusReason'>,
  now: Date,
): Pick<SubscriptionFacts, 'desiredStatus' | 'desiredStatusReason' | 'endsAt'> {
  const isPaid = paidUntil !== null && paidUntil > now && pastDueSince === null;
  if (!isPaid) return { desiredStatus: 'cancelled', desiredStatusReason: null, endsAt: null };
  const reason = desiredStatusReason === 'paused' ? 'paused' : 'ending';
  return { desiredStatus: 'stopped', desiredStatusReason: reason, endsAt: paidUntil };
}

/** A plan that was paused before its cancellation is paused again. */
export function afterResumption(
  subscription: Pick<SubscriptionFacts, 'desiredStatusReason' | 'endsAt'>,
): Partial<SubscriptionFacts> {
  const undone = { endsAt: null, endReason: null };
  if (subscription.desiredStatusReason === 'paused' && isEnding(subscription)) return undone;
  return {
    ...{ ...undone, desiredStatus: 'charging', desiredStatusReason: null },
    // Makes us ask the provider to resume: our request to stop may have succeeded although its answer was lost.
    providerStatus: 'stopped',
  };
}

/** The facts after all changes that are due at `now`. */
export function afterDueChanges(
  before: SubscriptionFacts,
  { now, graceMs, isChargePending }: { now: Date; graceMs: number; isChargePending: boolean },
): SubscriptionFacts {
  const after = { ...before };
  const time = now.getTime();
  if (after.changeApproved && after.changeAppliesFrom && after.changeAppliesFrom <= now) {
    Object.assign(after, { packageName: after.changePackage, priceCents: after.changeCents, ...noChange });
  }
  if (isEnding(after) && after.endsAt && after.endsAt <= now)
    Object.assign(after, { desiredStatus: 'cancelled', desiredStatusReason: null });
  if (after.pastDueSince) {
    const pastDueMs = time - after.pastDueSince.getTime();
    after.reminders = reminderDays.filter((days) => days * dayMs <= pastDueMs).length;
    // A charge that is under way may still be received.
    const isGraceOver = pastDueMs >= graceMs && !isChargePending;
    if (isGraceOver && after.desiredStatus === 'charging')
      Object.assign(after, { desiredStatus: 'stopped', desiredStatusReason: 'unpaid' });
    if (isGraceOver && isEnding(after))
      Object.assign(after, { desiredStatus: 'cancelled', desiredStatusReason: null, endReason: 'unpaid' });
  } else if (after.desiredStatus === 'stopped' && after.desiredStatusReason === 'unpaid') {
    Object.assign(after, { desiredStatus: 'charging', desiredStatusReason: null });
  }
  after.state = stateOf(after);
  if (after.state === 'ended' && before.state !== 'ended')
    Object.assign(after, {
      endedAt: now,
      nextChargeAt: null,
      retryAt: null,
      desiredStatusReason: null,
      ...noChange,
    });
  const isAnnounced = after.changeBy === 'admin' && !after.changeApproved;
  // An approval before the last charge at the old price would change that charge.
  const isLastChargeMade = after.nextChargeAt !== null && after.nextChargeAt > after.changeApprovableFrom!;
  // Nobody is asked to approve a price while a charge is outstanding.
  if (isAnnounced && after.changeApprovableFrom! <= now && isLastChargeMade && after.state === 'active')
    after.changeApprovalRequested = true;
  return after;
}

function stateOf(facts: SubscriptionFacts): SubscriptionState {
  const { desiredStatus, desiredStatusReason, pastDueSince, cycles } = facts;
  if (desiredStatus === 'cancelled') return 'ended';
  if (isEnding(facts)) return 'ending';
  if (desiredStatusReason === 'paused') return 'paused';
  if (desiredStatusReason === 'unpaid') return 'suspended';
  if (pastDueSince) return 'past_due';
  return cycles === 0 ? 'pending' : 'active';
}

export function stepsBetween(before: SubscriptionFacts, after: SubscriptionFacts): SubscriptionStep[] {
  const steps: SubscriptionStep[] = [];
  const movement = movementBetween(before, after);
  if (before.state !== after.state || movement)
    steps.push({ ...stateStep(before, after), ...(movement && { movement }) });
  if (after.state === 'past_due' && after.reminders > before.reminders && before.state === 'past_due')
    steps.push({ text: 'We reminded the customer of the failed charge.', news: 'charge_failed_reminder' });
  if (after.changeApproved && !before.changeApproved)
    steps.push({
      text: 'The customer approved the change at the payment provider.',
      news: 'change_approved',
    });
  // A price that this change announces gets no step here: its announcement says whether it can be approved immediately.
  const wasAnnounced = before.changeBy === 'admin' && before.changeCents === after.changeCents;
  if (wasAnnounced && after.changeApprovalRequested && !before.changeApprovalRequested)
    steps.push({ text: 'The announced price can be approved now.', news: 'price_change_approvable' });
  const hasOtherTerms = before.priceCents !== after.priceCents || before.packageName !== after.packageName;
  if (hasOtherTerms) steps.push(changeStep(before, after));
  return steps;
}

function stateStep(before: SubscriptionFacts, after: SubscriptionFacts): SubscriptionStep {
  // If the state is the same, this step exists only because the first charge adds to the recurring revenue.
  if (before.state === after.state) return { text: 'A charge was received.' };
  switch (after.state) {
    case 'pending':
      return { text: 'The monthly plan still awaits its first charge.' };
    case 'active':
      if (before.state === 'pending') return { text: 'The monthly plan began.' };
      if (before.state === 'past_due' || before.state === 'suspended')
        return { text: 'The outstanding charge was received.', news: 'recovered' };
      return { text: 'The monthly plan was resumed.', news: 'resumed' };
    case 'past_due':
      if (before.state === 'suspended' || before.state === 'paused' || before.state === 'ending')
        return { text: 'The monthly plan was resumed. A charge is still outstanding.' };
      return { text: 'A charge failed.', news: 'charge_failed' };
    case 'suspended':
      return {
        text: 'The monthly plan was suspended, because a charge is outstanding.',
        news: 'suspended',
      };
    case 'paused':
      if (before.state === 'ending')
        return {
          text: 'The cancellation was undone. The monthly plan is paused again, and nothing is charged.',
          news: 'paused',
        };
      return { text: 'The monthly plan was paused. Nothing is charged.', news: 'paused' };
    case 'ending':
      return {
        text: 'The monthly plan was cancelled. It continues until the end of the paid period.',
        news: 'cancelled',
      };
    case 'ended':
      return { text: endSentences[after.endReason ?? 'provider'], news: 'ended' };
  }
}

const endSentences: Record<SubscriptionEndReason, string> = {
  customer: 'The monthly plan has ended after its cancellation.',
  admin: 'An admin ended the monthly plan.',
  provider: 'The monthly plan was cancelled at the payment provider.',
  account_deleted: 'The customer deleted their account, so the monthly plan has ended.',
  unpaid: 'The monthly plan has ended, because it was not paid.',
};

function movementBetween(before: SubscriptionFacts, after: SubscriptionFacts): SubscriptionStep['movement'] {
  const [was, is] = [isInService(before), isInService(after)];
  if (was === is) return undefined;
  // A change of the price at the same time is a movement of its own.
  return { kind: is ? 'new' : 'churned', cents: before.priceCents };
}

function changeStep(before: SubscriptionFacts, after: SubscriptionFacts): SubscriptionStep {
  const text =
    before.packageName === after.packageName
      ? 'The new price applies.'
      : `The package is now ${after.packageName}.`;
  const difference = after.priceCents - before.priceCents;
  if (difference === 0 || !isInService(after)) return { text };
  const kind = difference > 0 ? 'expansion' : 'contraction';
  return { text, movement: { kind, cents: Math.abs(difference) } };
}

export function hasTerms(
  { packageName, priceCents }: Pick<SubscriptionFacts, 'packageName' | 'priceCents'>,
  terms: { packageName: string; priceCents: number },
): boolean {
  return packageName === terms.packageName && priceCents === terms.priceCents;
}

/**
 * False if the plan is stopped or cancelled, its next charge is not known, or a change is approved. Also false if the plan has this price
 * already, or if this price is announced. An announcement replaces an earlier one of another price that the customer has not approved. A change that
 * the customer has begun at the provider still takes effect if they approve it there.
 */
export function canAnnouncePrice(cents: number, subscription: SubscriptionFacts): boolean {
  const { desiredStatus, nextChargeAt, priceCents, changeApproved, changeBy, changeCents } = subscription;
  if (desiredStatus !== 'charging' || nextChargeAt === null || changeApproved) return false;
  return priceCents !== cents && !(changeBy === 'admin' && changeCents === cents);
}

export function hasChangeTo(
  { changePackage, changeCents }: Pick<SubscriptionFacts, 'changePackage' | 'changeCents'>,
  terms: { packageName: string; priceCents: number },
): boolean {
  return changePackage === terms.packageName && changeCents === terms.priceCents;
}
