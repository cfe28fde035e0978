import type { OrderFlag } from '#libs/contracts';
import { dollarsOf } from '../../money/price.js';
import type { AttemptTerms, FailedCheck, ProviderEvent, Reading } from '../payment-provider.js';
import type { Movement } from '../provider-state.js';
import { type PaypalNotification, toShortLine } from './paypal-notification.js';
import type { PaypalMode } from './paypal.settings.js';

interface Situation {
  notification: PaypalNotification;
  movement: Movement | undefined;
  terms: AttemptTerms;
  mode: PaypalMode;
}

interface Rule {
  check: string;
  holds(situation: Situation): boolean;
  expected(situation: Situation): string;
  found(situation: Situation): string;
}

/**
 * A refund, a reversal or the cancellation of a reversal has its own transaction. Its parent is the payment or, for a cancellation, perhaps the
 * reversal. The `txn_type` of such a transaction is missing, or `adjustment`.
 */
const followsPayment = (movement: Movement | undefined) =>
  movement === 'refunded' || movement === 'reversed' || movement === 'reversal_cancelled';

const receiverCheck = 'receiver';

/** `business` is the address that was paid, `receiver_email` the primary address of its account. */
function namesReceiver({ notification, terms }: Situation): boolean {
  return [notification.get('business'), notification.get('receiver_email')].some((address) =>
    isSameAddress(address, terms.receiver),
  );
}

/**
 * A refund has no `business`. If the shop is paid at a secondary address, only `receiver_id` shows the account. It is compared with the account that
 * an earlier event of the attempt has named.
 */
function isReceiversAccount({ notification, movement, terms }: Situation): boolean {
  return (
    followsPayment(movement) &&
    notification.get('business') === '' &&
    terms.receiverAccount !== null &&
    notification.get('receiver_id') === terms.receiverAccount
  );
}

/** An adjustment after a chargeback names no receiver at all. */
function isAdjustmentWithoutReceiver({ notification }: Situation): boolean {
  return (
    notification.isAdjustment &&
    ['business', 'receiver_email', 'receiver_id'].every((name) => notification.get(name) === '')
  );
}

/** Whether only the receiver check failed, because no payment of this attempt has named the account yet. */
function arrivedBeforePayment(
  { notification, movement, terms }: Situation,
  failed: readonly FailedCheck[],
): boolean {
  return (
    failed.every(({ check }) => check === receiverCheck) &&
    followsPayment(movement) &&
    notification.get('business') === '' &&
    terms.receiverAccount === null
  );
}

const field = (name: string) => (situation: Situation) => situation.notification.get(name);
export const transactionIdPattern = /^[A-Za-z0-9-]{1,64}$/;

/**
 * The checks that a genuine notification must pass to affect the order's money. Anyone can make PayPal send us a genuine notification of a payment to
 * any account, of any amount, with any `custom` and `invoice`.
 */
const rules: readonly Rule[] = [
  {
    check: 'every parameter once',
    holds: ({ notification }) => notification.repeatedNames.length === 0,
    expected: () => 'no parameter twice',
    found: ({ notification }) => notification.repeatedNames.join(', '),
  },
  {
    check: 'environment of the attempt',
    holds: ({ terms, mode }) => terms.environment === mode,
    expected: ({ mode }) => mode,
    found: ({ terms }) => terms.environment,
  },
  {
    check: 'test_ipn',
    holds: ({ notification, mode }) => mode === 'sandbox' || notification.get('test_ipn') !== '1',
    expected: () => 'no test message',
    found: field('test_ipn'),
  },
  {
    check: 'invoice',
    holds: ({ notification, terms }) => notification.get('invoice') === terms.orderId,
    expected: ({ terms }) => terms.orderId,
    found: field('invoice'),
  },
  {
    check: receiverCheck,
    holds: (situation) =>
      namesReceiver(situation) || isReceiversAccount(situation) || isAdjustmentWithoutReceiver(situation),
    expected: ({ terms }) => terms.receiver,
    found: ({ notification }) => `${notification.get('business')}, ${notification.get('receiver_email')}`,
  },
  {
    check: 'mc_currency',
    holds: ({ notification, terms }) => notification.get('mc_currency') === terms.currency,
    expected: ({ terms }) => terms.currency,
    found: field('mc_currency'),
  },
  {
    check: 'mc_gross',
    holds: ({ notification, movement, terms }) =>
      isExpectedAmount(notification.grossCents, movement, terms.amountCents),
    expected: ({ movement, terms }) => expectedAmount(movement, terms.amountCents),
    found: field('mc_gross'),
  },
  {
    check: 'payment_status',
    holds: ({ movement }) => movement !== undefined,
    expected: () => 'a documented status',
    found: field('payment_status'),
  },
  {
    check: 'txn_type',
    holds: ({ notification, movement }) =>
      notification.isAdjustment ||
      notification.get('txn_type') === (followsPayment(movement) ? '' : 'web_accept'),
    expected: ({ movement }) => (followsPayment(movement) ? 'none' : 'web_accept'),
    found: field('txn_type'),
  },
  {
    check: 'txn_id',
    holds: ({ notification }) => transactionIdPattern.test(notification.get('txn_id')),
    expected: () => 'a transaction id',
    found: field('txn_id'),
  },
  {
    check: 'parent_txn_id',
    holds: ({ notification, movement }) => {
      const parent = notification.get('parent_txn_id');
      return followsPayment(movement)
        ? transactionIdPattern.test(parent) && parent !== notification.get('txn_id')
        : parent === '';
    },
    expected: ({ movement }) => (followsPayment(movement) ? 'another transaction' : 'none'),
    found: field('parent_txn_id'),
  },
];

/** `receivedAt` is used if PayPal's own date cannot be read. */
export function readNotification(
  notification: PaypalNotification,
  { terms, mode, receivedAt }: { terms: AttemptTerms; mode: PaypalMode; receivedAt: Date },
): Reading {
  const { movement, facts } = notification;
  const situation = { notification, movement, terms, mode };
  const remark = remarkOf(situation);
  if (remark) return { kind: 'remark', ...remark, facts };
  const failed = rules.filter(({ holds }) => !holds(situation)).map((rule) => failure(rule, situation));
  if (failed.length > 0 && arrivedBeforePayment(situation, failed)) {
    const payment = { txn_id: notification.get('parent_txn_id') };
    return { kind: 'early', payment, failed, facts };
  }
  if (failed.length > 0 || movement === undefined) return { kind: 'held', failed, facts };
  const event: ProviderEvent = {
    txnId: notification.get('txn_id'),
    parentTxnId: notification.get('parent_txn_id') || null,
    status: notification.get('payment_status'),
    movement,
    amountCents: Math.abs(notification.grossCents ?? 0),
    feeCents: notification.feeCents === undefined ? null : Math.abs(notification.feeCents),
    currency: terms.currency,
    receiverAccount: notification.get('receiver_id') || null,
    happenedAt: notification.happenedAt ?? receivedAt,
    needsAcceptance: notification.needsAcceptance,
    // PayPal sends a code, such as `buyer_complaint`. Customers read it, so it becomes words.
    reason: (facts.pending_reason ?? facts.reason_code)?.replaceAll('_', ' '),
  };
  return { kind: 'event', event, facts };
}

const caseRemarks: Partial<Record<string, { text: string; raise?: OrderFlag[] }>> = {
  new_case: { text: 'The customer opened a case at PayPal.', raise: ['case_opened'] },
  adjustment: { text: 'A case at PayPal was closed.' },
};

/**
 * What to record when a case is opened, or closed without moving money. Such a notification has no `payment_status` and no amount. A reversal that
 * may follow has its own notification.
 */
function remarkOf({ notification, terms }: Situation) {
  const type = notification.get('txn_type');
  const isAboutOrder =
    notification.get('payment_status') === '' && notification.get('invoice') === terms.orderId;
  return isAboutOrder && Object.hasOwn(caseRemarks, type) ? caseRemarks[type] : undefined;
}

function failure({ check, expected, found }: Rule, situation: Situation): FailedCheck {
  return { check, expected: expected(situation), found: toShortLine(found(situation)) };
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** A payment must be exactly the amount due. Refunds, reversals and their cancellations may be parts of it. */
function isExpectedAmount(
  grossCents: number | undefined,
  movement: Movement | undefined,
  dueCents: number,
): boolean {
  if (grossCents === undefined) return false;
  if (movement === 'refunded' || movement === 'reversed') return grossCents < 0 && -grossCents <= dueCents;
  if (movement === 'reversal_cancelled') return grossCents > 0 && grossCents <= dueCents;
  return grossCents === dueCents;
}

function expectedAmount(movement: Movement | undefined, dueCents: number): string {
  const due = dollarsOf(dueCents);
  if (movement === 'refunded' || movement === 'reversed') return `from -${due} to -0.01`;
  return movement === 'reversal_cancelled' ? `from 0.01 to ${due}` : due;
}
