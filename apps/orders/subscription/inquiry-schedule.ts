import { addSeconds } from '#libs/runtime';
import { reminderDays } from './subscription-state.js';
import type { SubscriptionEntity } from './subscription.entity.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Inquiries about a charge begin this long after it is due, because providers need some time to charge. Further ones follow at this interval. */
const chargeInquirySeconds = 10 * minute;
/** How long after its end a plan's charges are still looked for. */
const inquiryDaysAfterEnd = 35;

/**
 * Inquiries are made each day, and earlier when something is due or the desired status has not taken effect. Null for a subscription that ended long
 * ago. `now` is the billing clock's time.
 */
export function nextInquiryAt(subscription: SubscriptionEntity, now: Date, graceMs: number): Date | null {
  const { desiredStatus, providerStatus, problem, endedAt, nextChargeAt, retryAt, endsAt, pastDueSince } =
    subscription;
  const isInEffect = providerStatus === desiredStatus || providerStatus === 'cancelled';
  if (isInEffect && endedAt)
    return endedAt > addSeconds(now, -inquiryDaysAfterEnd * day) ? addSeconds(now, day) : null;
  if (!isInEffect) return addSeconds(now, problem === null ? minute : hour);
  const chargeDates = desiredStatus === 'charging' ? [nextChargeAt, retryAt] : [];
  // For a day, a charge that is due but not in the provider's list yet is looked for more often.
  if (chargeDates.some((at) => at && at <= now && at > addSeconds(now, -day)))
    return addSeconds(now, chargeInquirySeconds);
  const dueDates = [
    ...chargeDates.map((at) => at && addSeconds(at, chargeInquirySeconds)),
    endsAt,
    subscription.changeApprovalRequested ? null : subscription.changeApprovableFrom,
    subscription.changeAppliesFrom,
    ...(pastDueSince
      ? [...reminderDays.map((days) => days * day), graceMs / 1000].map((after) =>
          addSeconds(pastDueSince, after),
        )
      : []),
  ];
  const later = dueDates.filter((due): due is Date => due instanceof Date && due > now);
  return later.reduce((first, due) => (due < first ? due : first), addSeconds(now, day));
}
