import {
  type PlanSubscription,
  type SubscriptionEndReason,
  type SubscriptionState,
  paymentProvider,
} from '#libs/contracts';
import { money } from '../../lib/money.js';
import { formatDate } from '../formats.js';
import type { StatusText } from '../orders/words.js';

const provider = paymentProvider.label;

export const planStates: Record<SubscriptionState, StatusText> = {
  pending: { tone: 'waiting', text: 'Starting' },
  active: { tone: 'good', text: 'Active' },
  past_due: { tone: 'fault', text: 'Past due' },
  suspended: { tone: 'fault', text: 'Suspended' },
  paused: { tone: 'waiting', text: 'Paused' },
  ending: { tone: 'waiting', text: 'Ending' },
  ended: { tone: 'quiet', text: 'Ended' },
};

/** One sentence without a full stop. */
export function whatHappensNext(plan: PlanSubscription): string {
  switch (plan.state) {
    case 'pending':
      return `Waiting for ${provider} to confirm the first payment`;
    case 'active':
      return nextChargeText(plan);
    case 'past_due':
      return `Payment failed${plan.graceEndsAt ? `; work stops on ${formatDate(plan.graceEndsAt)} unless the payment is made` : ''}`;
    case 'suspended':
      return 'Work has stopped until the failed payment is made';
    case 'paused':
      return 'Nothing is charged until the plan is resumed';
    case 'ending':
      return plan.endsOn ? `Ends on ${formatDate(plan.endsOn)}` : 'Ends soon';
    case 'ended':
      return plan.endedAt ? `Ended on ${formatDate(plan.endedAt)}` : 'Ended';
  }
}

/**
 * The date until which the plan continues if it is cancelled now. Undefined if no paid period is left or a charge failed: it then ends right away,
 * unless the next month has just been charged.
 */
export function continuesUntil({ state, paidUntil }: PlanSubscription): string | undefined {
  const canContinue = state === 'active' || state === 'paused';
  return canContinue && paidUntil && Date.parse(paidUntil) > Date.now() ? formatDate(paidUntil) : undefined;
}

function nextChargeText({ nextChargeAt, nextChargeAmount, price }: PlanSubscription): string {
  return nextChargeAt
    ? `Next charge ${money(nextChargeAmount ?? price)} on ${formatDate(nextChargeAt)}`
    : 'No charge is scheduled';
}

/** For admins. */
export const endReasons: Record<SubscriptionEndReason, string> = {
  customer: 'Cancelled by the customer',
  admin: 'Cancelled by an admin',
  provider: `Cancelled at ${provider}`,
  account_deleted: 'The customer deleted their account',
  unpaid: 'Not paid',
};

/** How a new price differs from the current one: `$700.00 more than now`. */
export function priceDifference(from: string, to: string): string {
  const cents = Math.round(Number(to) * 100) - Math.round(Number(from) * 100);
  if (cents === 0) return 'the same as now';
  return `${money((Math.abs(cents) / 100).toFixed(2))} ${cents > 0 ? 'more' : 'less'} than now`;
}

/** ', plus 19% tax' after a price; empty if no tax is added. */
export const plusTax = ({ addedTaxRate }: Pick<PlanSubscription, 'addedTaxRate'>): string =>
  Number(addedTaxRate) === 0 ? '' : `, plus ${addedTaxRate}% tax`;
