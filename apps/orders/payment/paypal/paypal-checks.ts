import type { OrderFlag, PaypalMode } from '#libs/contracts';
import type { AttemptTerms, FailedCheck, ProviderEvent, Reading } from '../payment-provider.js';
import { dollarsOf } from '../../money/price.js';
import type { Movement } from '../provider-state.js';
import { type PaypalNotice, presentable } from './paypal-notice.js';

interface Situation {
  notice: PaypalNotice;
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

/** Money that goes back, or comes back, has a transaction of its own and names its payment. Its `txn_type` is none or `adjustment`. */
const followsPayment = (movement: Movement | undefined) =>
  movement === 'refunded' || movement === 'reversed' || movement === 'reversal_cancelled';

const receiverCheck = 'receiver';

/** `business` is the address that was paid to, `receiver_email` the primary one of that account. */
function namesReceiver({ notice, terms }: Situation): boolean {
  return [notice.get('business'), notice.get('receiver_email')].some((address) =>
    isSameAddress(address, terms.receiver),
  );
}

/**
 * Refunds come without `business`. If the shop is paid at a secondary address of its account, `receiver_id` alone tells that they are
 * the shop's: it is compared with that of a payment of the same attempt whose receiver was found right.
 */
function isReceiversAccount({ notice, movement, terms }: Situation): boolean {
  return (
    followsPayment(movement) &&
    notice.get('business') === '' &&
    terms.receiverAccount !== null &&
    notice.get('receiver_id') === terms.receiverAccount
  );
}

/** The settlement of a chargeback names no receiver at all: the attempt's token and order are what it is known by. */
function isUnnamedSettlement({ notice }: Situation): boolean {
  return (
    notice.isAdjustment &&
    ['business', 'receiver_email', 'receiver_id'].every((name) => notice.get(name) === '')
  );
}

/** No payment of this attempt has named the account yet, and nothing else is wrong. */
function comesBeforePayment({ notice, movement, terms }: Situation, failed: readonly FailedCheck[]): boolean {
  return (
    failed.every(({ check }) => check === receiverCheck) &&
    followsPayment(movement) &&
    notice.get('business') === '' &&
    terms.receiverAccount === null
  );
}

const field = (name: string) => (situation: Situation) => situation.notice.get(name);
const transactionId = /^[A-Za-z0-9-]{1,64}$/;

/**
 * What must hold for a genuine notice to count, whatever its status. Genuine says only that PayPal wrote it: anybody can have PayPal write
 * notices to our address, about payments to anybody, of any amount, with any `custom` and `invoice`.
 */
const rules: readonly Rule[] = [
  {
    check: 'every parameter once',
    holds: ({ notice }) => notice.repeated.length === 0,
    expected: () => 'no parameter twice',
    found: ({ notice }) => notice.repeated.join(', '),
  },
  {
    check: 'environment of the attempt',
    holds: ({ terms, mode }) => terms.environment === mode,
    expected: ({ mode }) => mode,
    found: ({ terms }) => terms.environment,
  },
  {
    check: 'test_ipn',
    holds: ({ notice, mode }) => mode === 'sandbox' || notice.get('test_ipn') !== '1',
    expected: () => 'no test message',
    found: field('test_ipn'),
  },
  {
    check: 'invoice',
    holds: ({ notice, terms }) => notice.get('invoice') === terms.orderId,
    expected: ({ terms }) => terms.orderId,
    found: field('invoice'),
  },
  {
    check: receiverCheck,
    holds: (situation) =>
      namesReceiver(situation) || isReceiversAccount(situation) || isUnnamedSettlement(situation),
    expected: ({ terms }) => terms.receiver,
    found: ({ notice }) => `${notice.get('business')}, ${notice.get('receiver_email')}`,
  },
  {
    check: 'mc_currency',
    holds: ({ notice, terms }) => notice.get('mc_currency') === terms.currency,
    expected: ({ terms }) => terms.currency,
    found: field('mc_currency'),
  },
  {
    check: 'mc_gross',
    holds: ({ notice, movement, terms }) => isAmountDue(notice.grossCents, movement, terms.amountCents),
    expected: ({ movement, terms }) => amountExpected(movement, terms.amountCents),
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
    holds: ({ notice, movement }) =>
      notice.isAdjustment || notice.get('txn_type') === (followsPayment(movement) ? '' : 'web_accept'),
    expected: ({ movement }) => (followsPayment(movement) ? 'none' : 'web_accept'),
    found: field('txn_type'),
  },
  {
    check: 'txn_id',
    holds: ({ notice }) => transactionId.test(notice.get('txn_id')),
    expected: () => 'a transaction id',
    found: field('txn_id'),
  },
  {
    check: 'parent_txn_id',
    holds: ({ notice, movement }) => {
      const parent = notice.get('parent_txn_id');
      return followsPayment(movement)
        ? transactionId.test(parent) && parent !== notice.get('txn_id')
        : parent === '';
    },
    expected: ({ movement }) => (followsPayment(movement) ? 'the payment' : 'none'),
    found: field('parent_txn_id'),
  },
];

/** `receivedAt` stands in where PayPal's own date cannot be read. */
export function readNotice(
  notice: PaypalNotice,
  { terms, mode, receivedAt }: { terms: AttemptTerms; mode: PaypalMode; receivedAt: Date },
): Reading {
  const { movement, facts } = notice;
  const situation = { notice, movement, terms, mode };
  const remark = caseOf(situation);
  if (remark) return { kind: 'remark', ...remark, facts };
  const failed = rules.filter(({ holds }) => !holds(situation)).map((rule) => failure(rule, situation));
  if (failed.length > 0 && comesBeforePayment(situation, failed)) {
    return { kind: 'early', parentTxnId: notice.get('parent_txn_id'), failed, facts };
  }
  if (failed.length > 0 || movement === undefined) return { kind: 'held', failed, facts };
  const event: ProviderEvent = {
    txnId: notice.get('txn_id'),
    parentTxnId: notice.get('parent_txn_id') || null,
    status: notice.get('payment_status'),
    movement,
    amountCents: Math.abs(notice.grossCents ?? 0),
    feeCents: notice.feeCents === undefined ? null : Math.abs(notice.feeCents),
    currency: terms.currency,
    receiverAccount: notice.get('receiver_id') || null,
    happenedAt: notice.happenedAt ?? receivedAt,
    needsAcceptance: notice.needsAcceptance,
  };
  return { kind: 'event', event, facts };
}

const cases: Partial<Record<string, { text: string; raise?: OrderFlag[] }>> = {
  new_case: { text: 'The buyer opened a case at PayPal.', raise: ['case_opened'] },
  adjustment: { text: 'A case at PayPal was closed.' },
};

/** Without a `payment_status` a case names neither amount nor receiver, and moves no money: the reversal that may follow has a notice of its own. */
function caseOf({ notice, terms }: Situation) {
  const type = notice.get('txn_type');
  const isAboutOrder = notice.get('payment_status') === '' && notice.get('invoice') === terms.orderId;
  return isAboutOrder && Object.hasOwn(cases, type) ? cases[type] : undefined;
}

function failure({ check, expected, found }: Rule, situation: Situation): FailedCheck {
  return { check, expected: expected(situation), found: presentable(found(situation)) };
}

function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Exactly the amount due comes in; at most that goes back, in one piece or several. */
function isAmountDue(gross: number | undefined, movement: Movement | undefined, dueCents: number): boolean {
  if (gross === undefined) return false;
  if (movement === 'refunded' || movement === 'reversed') return gross < 0 && -gross <= dueCents;
  if (movement === 'reversal_cancelled') return gross > 0 && gross <= dueCents;
  return gross === dueCents;
}

function amountExpected(movement: Movement | undefined, dueCents: number): string {
  const due = dollarsOf(dueCents);
  if (movement === 'refunded' || movement === 'reversed') return `from -${due} to -0.01`;
  return movement === 'reversal_cancelled' ? `from 0.01 to ${due}` : due;
}
