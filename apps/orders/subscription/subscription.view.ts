import type { PlanSubscription, SubscriptionAction, SubscriptionChange } from '#libs/contracts';
import { totalCents } from '../money/tax.js';
import { dollarsOf } from '../money/price.js';
import type { RecordRelation } from '../access/person.js';
import type { SubscriptionEntity } from './subscription.entity.js';
import { isEnding } from './subscription-state.js';
import { addSeconds } from '#libs/runtime';

export interface ViewContext {
  relation: RecordRelation;
  graceMs: number;
  paymentMethodUrl: string;
}

/** For the audit log, which outlives accounts, so the customer is not named here. */
export function subscriptionName({
  firstOrderNumber,
  packageName,
}: Pick<SubscriptionEntity, 'firstOrderNumber' | 'packageName'>): string {
  return `#${firstOrderNumber}, ${packageName}`;
}

export function subscriptionView(
  subscription: SubscriptionEntity,
  { relation, graceMs, paymentMethodUrl }: ViewContext,
): PlanSubscription {
  const { state, pastDueSince, outstandingCents, endsAt, endReason, problem } = subscription;
  const isCharged = subscription.desiredStatus === 'charging' && state !== 'suspended';
  const nextChargeAt = isCharged ? subscription.nextChargeAt : null;
  const isUnpaid = state === 'past_due' || state === 'suspended';
  const graceEndsAt = isUnpaid && pastDueSince ? addSeconds(pastDueSince, graceMs / 1000) : null;
  return {
    _id: subscription.id,
    state,
    accountId: subscription.accountId,
    customerName: subscription.customerName,
    customerEmail: subscription.customerEmail,
    packageName: subscription.packageName,
    price: dollarsOf(subscription.priceCents),
    addedTaxRate: subscription.addedTaxRate,
    priceWithTax: dollarsOf(totalCents(subscription)),
    firstOrderId: subscription.firstOrderId,
    firstOrderNumber: subscription.firstOrderNumber,
    startedAt: subscription.startedAt.toISOString(),
    cycles: subscription.cycles,
    nextChargeAt: iso(nextChargeAt),
    nextChargeAmount: nextChargeAt && dollarsOf(nextChargeCents(subscription, nextChargeAt)),
    paidUntil: iso(subscription.paidUntil),
    pastDueSince: iso(isUnpaid ? pastDueSince : null),
    graceEndsAt: iso(graceEndsAt),
    retryAt: iso(state === 'past_due' ? subscription.retryAt : null),
    outstanding: outstandingCents > 0 ? dollarsOf(outstandingCents) : null,
    endsOn: iso(state === 'ending' ? endsAt : null),
    endedAt: iso(subscription.endedAt),
    endReason: state === 'ended' || state === 'ending' ? endReason : null,
    change: changeView(subscription),
    paymentMethodUrl,
    actions: actionsOf(subscription, relation),
    problem: relation === 'admin' ? problem : null,
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
    version: subscription.version,
  };
}

/** Screens offer these actions; each call checks that its action is allowed. */
export function actionsOf(subscription: SubscriptionEntity, relation: RecordRelation): SubscriptionAction[] {
  const { state, providerStatus, changeBy, changeApproved, changeApprovalRequested } = subscription;
  if (state === 'ended') return [];
  const actions: SubscriptionAction[] = [];
  const isAdmin = relation === 'admin';
  if (state !== 'ending') actions.push('cancel');
  if (isAdmin) actions.push('cancel_now');
  const isResumable = isEnding(subscription) || (subscription.desiredStatusReason === 'paused' && isAdmin);
  // A cancellation at the provider is final.
  if (isResumable && providerStatus !== 'cancelled') actions.push('resume');
  if (isAdmin && (state === 'active' || state === 'past_due')) actions.push('pause');
  if (state === 'past_due' || state === 'suspended') actions.push('retry');
  const isChangeable = state === 'active' && !changeApproved && !isAdmin;
  if (isChangeable) actions.push('change');
  if (isChangeable && changeBy === 'admin' && changeApprovalRequested) actions.push('approve');
  return relation === 'payer' ? actions.filter((action) => action === 'retry') : actions;
}

function changeView(subscription: SubscriptionEntity): SubscriptionChange | null {
  const { changePackage, changeCents, changeBy, changeApproved, addedTaxRate } = subscription;
  const { changeApprovableFrom, changeAppliesFrom } = subscription;
  if (changePackage === null || changeCents === null || changeBy === null || changeAppliesFrom === null)
    return null;
  // Rows from earlier versions of this program may contain a change that the customer began but never approved.
  if (changeBy === 'customer' && !changeApproved) return null;
  return {
    packageName: changePackage,
    price: dollarsOf(changeCents),
    priceWithTax: dollarsOf(totalCents({ priceCents: changeCents, addedTaxRate })),
    requestedBy: changeBy,
    state: changeApproved ? 'approved' : 'announced',
    approvableFrom: (changeApprovableFrom ?? changeAppliesFrom).toISOString(),
    appliesFrom: changeAppliesFrom.toISOString(),
  };
}

function nextChargeCents(
  { priceCents, addedTaxRate, changeApproved, changeAppliesFrom, changeCents }: SubscriptionEntity,
  nextChargeAt: Date,
): number {
  const isChanged = changeApproved && changeAppliesFrom !== null && changeAppliesFrom <= nextChargeAt;
  return totalCents({ priceCents: isChanged ? (changeCents ?? priceCents) : priceCents, addedTaxRate });
}

const iso = (date: Date | null) => date && date.toISOString();
