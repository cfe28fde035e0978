import {
  type Order,
  type OrderFlag,
  type OrderPayment,
  type OrderStatus,
  type PaymentHold,
  paymentProvider,
  type PaymentState,
} from '#libs/contracts';
import { money } from '../../lib/money.js';
import { formatDate } from '../formats.js';
import type { Tone } from '../Status.js';

/** `note` explains the status if `text` is not enough. */
export interface StatusText {
  tone: Tone;
  text: string;
  note?: string | undefined;
}

export type PaymentFields = Pick<
  Order,
  | 'paymentStatus'
  | 'paymentState'
  | 'paymentHold'
  | 'payments'
  | 'refunded'
  | 'disputed'
  | 'paidTwice'
  | 'cancelledBy'
>;

const provider = paymentProvider.label;

/** `text` only if it says more than Paid, UnPaid or Cancelled. */
const states: Record<PaymentState, Omit<StatusText, 'text'> & { text?: string }> = {
  unpaid: { tone: 'quiet' },
  pending: {
    tone: 'waiting',
    text: 'Payment pending',
    note: `${provider} has your payment and will tell us when it has cleared. Please don’t pay again.`,
  },
  failed: { tone: 'fault', text: 'Payment failed', note: 'No money was taken.' },
  paid: { tone: 'good' },
  partially_refunded: { tone: 'good' },
  refunded: { tone: 'quiet', text: 'Refunded', note: `${provider} has returned the full amount.` },
  disputed: {
    tone: 'fault',
    text: 'Disputed',
    note: `${provider} has taken the payment back because it is disputed.`,
  },
  cancelled: { tone: 'quiet' },
};

const holds: Record<PaymentHold, StatusText> = {
  confirming: {
    tone: 'waiting',
    text: 'Confirming payment',
    note: `We’re waiting for ${provider} to confirm it. Please don’t pay again.`,
  },
  under_review: {
    tone: 'waiting',
    text: 'Payment under review',
    note: 'We’re checking a payment for this order. Please don’t pay again.',
  },
};

/** An admin has set the order to UnPaid although a payment was received. */
const notMarkedAsPaid =
  'We’ve received a payment for this order, but haven’t marked the order as paid. Please don’t pay again. We’ll contact you.';

/**
 * `isOwn` is false for a colleague with the role `billing` or an admin. They see ‘Cancelled’ instead of ‘You Have Cancelled’. The
 * specification has the words ‘You Have Cancelled’ and ‘You Have Paid’.
 */
export function paymentStatusForCustomer(order: PaymentFields, isOwn = true): StatusText {
  const { paymentStatus, paymentState, paymentHold, cancelledBy } = order;
  const state = states[paymentState];
  switch (paymentStatus) {
    case 'Paid':
      return { tone: 'good', text: 'You Have Paid', note: paidNote(order) };
    case 'Cancelled': {
      if (paymentState !== 'cancelled') return { text: 'Cancelled', ...state };
      const byUs = cancelledBy === 'admin';
      const notes = [byUs && 'We cancelled this order.', hasOrAwaitsMoney(order) && moneyNote(order)];
      return {
        tone: state.tone,
        text: byUs || !isOwn ? 'Cancelled' : 'You Have Cancelled',
        note: notes.filter(Boolean).join(' ') || undefined,
      };
    }
    case 'UnPaid':
      if (paymentHold) return holds[paymentHold];
      return { text: 'Not paid yet', ...state, ...(hasMoney(order) && { note: notMarkedAsPaid }) };
  }
}

function paidNote({ paidTwice, refunded, disputed }: PaymentFields): string | undefined {
  const notes = [
    paidTwice &&
      'We received a second payment. You only need to pay once: we’ll check it and refund the extra payment.',
    Number(refunded) > 0 && `${money(refunded)} was refunded.`,
    Number(disputed) > 0 && `${money(disputed)} is disputed.`,
  ];
  return notes.filter(Boolean).join(' ') || undefined;
}

/** Includes the tax that is added to the price. */
export function totalOf({ packagePrice, addedTax }: Pick<Order, 'packagePrice' | 'addedTax'>): string {
  const cents = [packagePrice, addedTax].reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
  return (cents / 100).toFixed(2);
}

/** '$345.10, of which $55.10 is tax (19%)'. Names the tax only if it was added to the price. */
export function totalText(order: Pick<Order, 'packagePrice' | 'addedTax' | 'addedTaxRate'>): string {
  const total = money(totalOf(order));
  if (Number(order.addedTax) === 0) return total;
  return `${total}, of which ${money(order.addedTax)} is tax (${order.addedTaxRate}%)`;
}

/** Whether at least one received payment is neither refunded in full nor disputed. */
export function hasMoney({ payments }: Pick<PaymentFields, 'payments'>): boolean {
  return payments.some(({ state }) => state === 'received' || state === 'partially_refunded');
}

function hasOrAwaitsMoney(order: PaymentFields): boolean {
  const isPending = order.payments.some(({ state }) => state === 'pending');
  return order.paymentHold !== null || isPending || hasMoney(order);
}

/** For a cancelled order, says whether money has arrived, or may still arrive. */
export function moneyNote(order: PaymentFields): string {
  if (hasMoney(order)) return 'We’ve received a payment for this order and will contact you.';
  return hasOrAwaitsMoney(order)
    ? 'A payment for this order is still being processed. If it goes through, we’ll contact you.'
    : 'We haven’t received a payment for this order.';
}

export function paymentStatusForAdmin({
  paymentStatus,
  paymentState,
  paymentHold,
  cancelledBy,
}: PaymentFields): StatusText {
  const { tone, text } = states[paymentState];
  if (paymentStatus === 'UnPaid' && paymentHold) {
    return { tone: 'waiting', text: paymentStatus, note: holds[paymentHold].text };
  }
  const stateNote = paymentState === 'partially_refunded' ? 'Partially refunded' : text;
  const who = { customer: 'By the customer', admin: 'By an admin' };
  const by = paymentState === 'cancelled' && cancelledBy ? who[cancelledBy] : undefined;
  return {
    tone: paymentStatus === 'Paid' ? 'good' : tone,
    text: paymentStatus,
    note: stateNote ?? by,
  };
}

/** For admins; undefined if no money was received. */
export function refundStatus({
  payments,
  refunded,
}: Pick<PaymentFields, 'payments' | 'refunded'>): StatusText | undefined {
  const received = payments.filter(({ state }) => state !== 'pending' && state !== 'failed');
  if (received.length === 0) return undefined;
  if (Number(refunded) === 0) return { tone: 'quiet', text: 'Not refunded' };
  const sum = received.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0) / 100;
  return Number(refunded) >= sum
    ? { tone: 'quiet', text: `Refunded in full: ${money(refunded)}` }
    : { tone: 'waiting', text: `${money(refunded)} of ${money(sum.toFixed(2))} refunded` };
}

/** Without the transaction id: '$290.00 received on Nov 22, 2026, $49.00 refunded'. */
export function paymentText({ state, amount, refunded, paidAt }: OrderPayment): string {
  const day = formatDate(paidAt);
  if (state === 'pending') return `${money(amount)} pending since ${day}`;
  if (state === 'failed') return `${money(amount)} failed on ${day}`;
  const partlyRefunded = Number(refunded) > 0 ? `, ${money(refunded)} refunded` : '';
  const refund = state === 'refunded' ? ', refunded in full' : partlyRefunded;
  return `${money(amount)} received on ${day}${refund}${state === 'disputed' ? ', disputed' : ''}`;
}

export function orderStatusText(status: OrderStatus): StatusText {
  return { tone: status === 'Delivered' ? 'good' : 'waiting', text: status };
}

/** Why the order needs an admin's attention; most sentences also say what to do. */
export const flagSentences: Record<OrderFlag, string> = {
  notice_held: `We received a payment message from ${provider} for this order, but its details didn’t match, so we ignored it. See the order’s timeline.`,
  paid_after_cancel:
    'Paid after the order or its monthly plan was cancelled. Deliver the order, or refund the payment.',
  paid_twice: 'Paid twice. Refund one of the two payments.',
  override_disagrees: `${provider} and the payment status set by an admin disagree.`,
  refunded: 'The payment was refunded.',
  disputed: `The customer or the bank disputes the payment, and ${provider} took money back. Respond at ${provider}.`,
  unverified: `We received a payment message for this order that ${provider} hasn’t confirmed, or says it didn’t send, so we haven’t acted on it. Check at ${provider} whether the customer paid.`,
  case_opened: `The customer opened a case at ${provider}. Respond there.`,
  acceptance_needed: `A payment is pending until you accept or deny it at ${provider}, for example because of its currency.`,
  account_deleted: `Money arrived, but the customer has deleted their account. Refund it at ${provider}, or keep it for work already agreed.`,
};
