import { isDeepStrictEqual } from 'node:util';
import type {
  CancelledBy,
  OrderFlag,
  OrderPayment,
  OrderStatus,
  PaidReason,
  PaymentState,
  PaymentStatus,
} from '#libs/contracts';
import type { MoneyMovement } from '../invoice-task/invoice-task.entity.js';
import {
  isReceived,
  type Override,
  paymentStatusAndState,
  paymentStatusByProvider,
  type ProviderOutcome,
  type ProviderState,
} from './order-payment.js';

export interface OrderChange {
  providerOutcome?: ProviderOutcome;
  /** For the invoice task. `transition` ignores it. */
  moneyMovement?: MoneyMovement;
  override?: Override;
  cancelledBy?: CancelledBy;
  orderStatus?: OrderStatus;
  /** Publishes neither `delivered` nor `reopened`, because the projects service has announced the change. */
  followsProject?: true;
  raise?: OrderFlag[];
  clearFlags?: true;
}

export interface OrderFacts {
  providerState: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  disputedCents: number;
  paidTwice: boolean;
  override: Override | null;
  cancelled: boolean;
  cancelledBy: CancelledBy | null;
  orderStatus: OrderStatus;
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
  flags: OrderFlag[];
}

/** Published as an event. */
export type Consequence =
  | { event: 'paid'; reason: PaidReason }
  /** `by` is null if the money went back, even if a person has cancelled the order since. */
  | { event: 'cancelled'; by: CancelledBy | null }
  /** Money went back, and the order did not become Cancelled. */
  | { event: 'refunded'; cents: number }
  | { event: 'paymentFailed' }
  | { event: 'delivered' }
  | { event: 'reopened' };

export interface Transition {
  facts: OrderFacts;
  modified: boolean;
  raisedFlags: OrderFlag[];
  consequences: Consequence[];
}

/**
 * Cancelling an order does not remove its override; only another override replaces it. An admin who sets the payment status of a cancelled order
 * undoes the cancellation.
 */
export function transition(before: OrderFacts, change: OrderChange): Transition {
  const facts = { ...before };
  if (change.providerOutcome) {
    facts.providerState = change.providerOutcome.state;
    facts.payments = change.providerOutcome.payments;
    facts.refundedCents = change.providerOutcome.refundedCents;
    facts.disputedCents = change.providerOutcome.disputedCents;
    facts.paidTwice = change.providerOutcome.paidTwice;
  }
  if (change.override) {
    Object.assign(facts, { override: change.override, cancelled: false, cancelledBy: null });
  }
  if (change.cancelledBy && !before.cancelled) {
    Object.assign(facts, { cancelled: true, cancelledBy: change.cancelledBy });
  }
  if (change.orderStatus) facts.orderStatus = change.orderStatus;
  const { paymentStatus, paymentState } = paymentStatusAndState(facts);
  Object.assign(facts, { paymentStatus, paymentState });
  const kept = change.clearFlags ? [] : before.flags;
  facts.flags = [...new Set([...kept, ...(change.raise ?? []), ...flagsToRaise(before, facts)])];
  const raisedFlags = facts.flags.filter((flag) => !before.flags.includes(flag));
  return {
    facts,
    modified: !isDeepStrictEqual(facts, before),
    raisedFlags,
    consequences: consequencesOf(before, facts, change),
  };
}

function consequencesOf(before: OrderFacts, after: OrderFacts, change: OrderChange): Consequence[] {
  const consequences: Consequence[] = [];
  const hasNewStatus = after.paymentStatus !== before.paymentStatus;
  if (hasNewStatus && after.paymentStatus === 'Paid')
    consequences.push({ event: 'paid', reason: paidReason(before, after, change) });
  if (hasNewStatus && after.paymentStatus === 'Cancelled') {
    consequences.push({
      event: 'cancelled',
      by: after.paymentState === 'cancelled' ? after.cancelledBy : null,
    });
  } else if (after.refundedCents > before.refundedCents) {
    consequences.push({ event: 'refunded', cents: after.refundedCents - before.refundedCents });
  }
  if (before.paymentState === 'pending' && after.paymentState === 'failed')
    consequences.push({ event: 'paymentFailed' });
  if (after.orderStatus !== before.orderStatus && !change.followsProject)
    consequences.push({ event: after.orderStatus === 'Delivered' ? 'delivered' : 'reopened' });
  return consequences;
}

function paidReason(before: OrderFacts, after: OrderFacts, change: OrderChange): PaidReason {
  if (change.override) return 'admin';
  const hasNewPayment = countReceived(after) > countReceived(before);
  if (before.providerState === 'disputed' && !hasNewPayment) return 'dispute_closed';
  return before.cancelled ? 'payment_after_cancel' : 'payment';
}

const countReceived = ({ payments }: OrderFacts) => payments.filter(isReceived).length;

function flagsToRaise(before: OrderFacts, after: OrderFacts): OrderFlag[] {
  const flags: OrderFlag[] = [];
  const [was, is] = [
    paymentStatusByProvider(before.providerState),
    paymentStatusByProvider(after.providerState),
  ];
  if (is !== was) {
    if (is === 'Paid' && after.cancelled) flags.push('paid_after_cancel');
    if (after.override !== null && is !== after.override) flags.push('override_disagrees');
  }
  // Under an override of UnPaid, an order can be cancelled although the provider has received its money.
  if (after.cancelled && !before.cancelled && is === 'Paid') flags.push('override_disagrees');
  if (after.paidTwice && !before.paidTwice) flags.push('paid_twice');
  if (after.disputedCents > before.disputedCents) flags.push('disputed');
  if (after.providerState === 'refunded' && before.providerState !== 'refunded') flags.push('refunded');
  return flags;
}
