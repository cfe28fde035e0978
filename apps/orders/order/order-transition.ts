import { isDeepStrictEqual } from 'node:util';
import type { OrderFlag, OrderPayment, OrderStatus, PaymentState, PaymentStatus } from '#libs/contracts';
import {
  type Override,
  paymentOf,
  type ProviderOutcome,
  providerStatus,
  type ProviderState,
} from './order-payment.js';

/** What may happen to an order that exists. */
export interface OrderChange {
  provider?: ProviderOutcome;
  override?: Override;
  cancelled?: true;
  orderStatus?: OrderStatus;
  raise?: OrderFlag[];
  /** An admin has looked. */
  clearFlags?: true;
}

/** The part of an order that changes. */
export interface OrderFacts {
  providerState: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  paidTwice: boolean;
  override: Override | null;
  cancelled: boolean;
  orderStatus: OrderStatus;
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
  flags: OrderFlag[];
}

export interface Transition {
  facts: OrderFacts;
  modified: boolean;
  /** Flags that the order did not have before. */
  raised: OrderFlag[];
  /** What has come true by this change, and was not before. */
  became: ('paid' | 'cancelled' | 'delivered')[];
}

/**
 * What a change makes of an order. The later word of a person counts: cancelling takes back an admin's UnPaid, and an admin's
 * word takes back the cancelling.
 */
export function transition(before: OrderFacts, change: OrderChange): Transition {
  const facts = { ...before };
  if (change.provider) {
    facts.providerState = change.provider.state;
    facts.payments = change.provider.payments;
    facts.refundedCents = change.provider.refundedCents;
    facts.paidTwice = change.provider.paidTwice;
  }
  if (change.override) Object.assign(facts, { override: change.override, cancelled: false });
  if (change.cancelled) Object.assign(facts, { override: null, cancelled: true });
  if (change.orderStatus) facts.orderStatus = change.orderStatus;
  const { paymentStatus, paymentState } = paymentOf({ ...facts, provider: facts.providerState });
  Object.assign(facts, { paymentStatus, paymentState });
  const kept = change.clearFlags ? [] : before.flags;
  facts.flags = [...new Set([...kept, ...(change.raise ?? []), ...reasonsToLook(before, facts)])];
  const raised = facts.flags.filter((flag) => !before.flags.includes(flag));
  const became: Transition['became'] = [];
  if (facts.paymentStatus !== before.paymentStatus) {
    if (facts.paymentStatus === 'Paid') became.push('paid');
    if (facts.paymentStatus === 'Cancelled') became.push('cancelled');
  }
  if (facts.orderStatus === 'Delivered' && before.orderStatus !== 'Delivered') became.push('delivered');
  return { facts, modified: !isDeepStrictEqual(facts, before), raised, became };
}

/** Flags that follow from what the provider newly says. */
function reasonsToLook(before: OrderFacts, after: OrderFacts): OrderFlag[] {
  const flags: OrderFlag[] = [];
  const [was, is] = [providerStatus(before.providerState), providerStatus(after.providerState)];
  if (is !== was) {
    if (is === 'Paid' && after.cancelled) flags.push('paid_after_cancel');
    if (after.override !== null && is !== after.override) flags.push('override_disagrees');
  }
  if (after.paidTwice && !before.paidTwice) flags.push('paid_twice');
  if (after.providerState !== before.providerState) {
    const state = after.providerState;
    if (state === 'refunded' || state === 'disputed') flags.push(state);
  }
  return flags;
}
