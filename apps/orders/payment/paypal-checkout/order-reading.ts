import { dollarsOf } from '../../money/price.js';
import type {
  CheckoutState,
  FailedCheck,
  NotificationFacts,
  ProviderEvent,
  Reading,
  ReportedEvent,
  StartedAttempt,
} from '../payment-provider.js';
import type { Movement } from '../provider-state.js';
import {
  type Capture,
  captureIdOf,
  centsOf,
  type Dispute,
  type Money,
  type PaypalOrder,
  type PaypalReport,
  type Refund,
} from './paypal-order.js';

interface Context {
  attempt: StartedAttempt;
  environment: string;
  receivedAt: Date;
}

/** A refunded capture counts as received, because its money was received before it was refunded. Its refunds are read separately. */
const movementOfStatus: Partial<Record<string, Movement>> = {
  COMPLETED: 'received',
  PARTIALLY_REFUNDED: 'received',
  REFUNDED: 'received',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
};

/** The reasons of a pending capture whose money was received, but is held or was taken back because of a dispute. */
const disputeReasons: ReadonlySet<string> = new Set(['BUYER_COMPLAINT', 'CHARGEBACK']);

/** Undefined for a status that is not documented. */
function movementOf({ status, status_details: details }: Capture): Movement | undefined {
  const isDisputed = status === 'PENDING' && disputeReasons.has(details?.reason ?? '');
  return isDisputed ? 'received' : movementOfStatus[status];
}

export const isReceived = (capture: Capture): boolean => movementOf(capture) === 'received';

/** The reasons of a pending capture that last until the shop acts at PayPal; the others end by themselves. */
const acceptanceReasons: ReadonlySet<string> = new Set([
  ...['INTERNATIONAL_WITHDRAWAL', 'OTHER', 'RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION'],
  ...['UNILATERAL', 'VERIFICATION_REQUIRED'],
]);

/** The outcomes of a dispute after which the shop keeps the money. */
const keptOutcomes: ReadonlySet<string> = new Set([
  ...['RESOLVED_SELLER_FAVOUR', 'RESOLVED_SELLER_FAVOR', 'RESOLVED_WITH_PAYOUT'],
  ...['CANCELED_BY_BUYER', 'DENIED', 'NONE'],
]);

/** Everything that has happened to the attempt's money, including what earlier reports already said. */
export function readReport({ order, disputes, refusal }: PaypalReport, context: Context): Reading[] {
  if (order === null) return [{ kind: 'checkout', state: 'closed' }];
  const [unit] = order.purchase_units;
  const captures = unit?.payments?.captures ?? [];
  const refunds = unit?.payments?.refunds ?? [];
  if (captures.length === 0) return [readUncapturedOrder(order, refusal, context)];
  const readDisputes = disputes.map((dispute) => readDispute(dispute, captures, refunds, context));
  return [
    ...captures.map((capture) => readCapture(capture, order, context)),
    ...refunds.map((refund) => readRefund(refund, captures, readDisputes, context)),
    ...readDisputes.flatMap(({ readings }) => readings),
    ...captures.flatMap((capture) => readUnknownRefund(capture, refunds)),
  ];
}

/** An approved order that does not match its attempt is held, so that its money is not taken. */
function readUncapturedOrder(order: PaypalOrder, refusal: string | null, context: Context): Reading {
  const { id, status, purchase_units: units } = order;
  if (refusal !== null) return readRefusal(id, refusal, context);
  const states: Partial<Record<string, CheckoutState>> = {
    APPROVED: 'approved',
    // PayPal has no such order status: `paypal-checkout.provider.ts` uses it for an approved plan.
    CHARGING: 'charging',
    VOIDED: 'closed',
  };
  const state = states[status] ?? 'unapproved';
  const failed = state === 'approved' ? broken(termRules(order, units[0]?.amount, context)) : [];
  if (failed.length > 0) return { kind: 'held', failed, facts: { order_id: id, status } };
  return { kind: 'checkout', state };
}

function readRefusal(orderId: string, refusal: string, { attempt, receivedAt }: Context): Reading {
  const event = {
    ...{ txnId: orderId, parentTxnId: null, status: refusal, movement: 'failed' as const },
    ...{ amountCents: attempt.amountCents, feeCents: null, currency: attempt.currency },
    ...{ receiverAccount: null, happenedAt: receivedAt, needsAcceptance: false },
    reason: inWords(refusal),
  };
  return { kind: 'event', event, facts: { order_id: orderId, status: refusal } };
}

/** A rule is broken if `expected` and `found` differ. Only then is it a failed check. */
type Rule = FailedCheck;

/**
 * PayPal's order must have the terms that we sent, because a payment on other terms must not count. A missing field breaks no rule: PayPal's answer
 * about a plan's charge, which `readChargeAsOrder` puts in the form of an order, lacks some. As long as the attempt's `receiverAccount` is not known,
 * any merchant is accepted.
 */
function termRules(order: PaypalOrder, amount: Money | undefined, { attempt, environment }: Context): Rule[] {
  const [unit] = order.purchase_units;
  const { token, invoice, receiverAccount } = attempt;
  const rules = [
    { check: 'environment of the attempt', expected: environment, found: attempt.environment },
    { check: 'custom_id', expected: token, found: unit?.custom_id ?? token },
    { check: 'invoice_id', expected: invoice, found: unit?.invoice_id ?? invoice },
    {
      check: 'merchant_id',
      expected: receiverAccount ?? unit?.payee?.merchant_id ?? '',
      found: unit?.payee?.merchant_id ?? receiverAccount ?? '',
    },
  ];
  if (amount === undefined) return rules;
  return [
    ...rules,
    { check: 'currency', expected: attempt.currency, found: amount.currency_code },
    { check: 'amount', expected: dollarsOf(attempt.amountCents), found: amountOf(amount) },
  ];
}

function broken(rules: readonly Rule[]): FailedCheck[] {
  return rules.filter(({ expected, found }) => expected !== found);
}

function failedChecks(capture: Capture, order: PaypalOrder, context: Context): FailedCheck[] {
  const captures = order.purchase_units[0]?.payments?.captures ?? [];
  return broken([
    ...termRules(order, capture.amount, context),
    { check: 'captures', expected: '1', found: String(captures.length) },
    {
      check: 'status',
      expected: 'a documented status',
      found: movementOf(capture) ? 'a documented status' : capture.status,
    },
  ]);
}

function readCapture(capture: Capture, order: PaypalOrder, context: Context): Reading {
  const facts = factsOf(capture, capture.id);
  const failed = failedChecks(capture, order, context);
  const movement = movementOf(capture);
  if (failed.length > 0 || movement === undefined) return { kind: 'held', failed, facts };
  const { paypal_fee: fee } = capture.seller_receivable_breakdown ?? {};
  const reason = capture.status_details?.reason;
  const event: ProviderEvent = {
    txnId: capture.id,
    parentTxnId: null,
    // All statuses which mean that the money was received are stored as one.
    status: movement === 'received' ? 'COMPLETED' : capture.status,
    movement,
    amountCents: context.attempt.amountCents,
    feeCents: fee ? (centsOf(fee) ?? null) : null,
    currency: capture.amount.currency_code,
    receiverAccount: order.purchase_units[0]?.payee?.merchant_id ?? null,
    happenedAt: timeOf(movement === 'received' ? capture.create_time : capture.update_time, context),
    needsAcceptance: movement === 'pending' && acceptanceReasons.has(reason ?? ''),
    ...(movement !== 'received' && reason !== undefined && { reason: inWords(reason) }),
  };
  return { kind: 'event', event, facts };
}

function readRefund(
  refund: Refund,
  captures: readonly Capture[],
  disputes: readonly ReadDispute[],
  context: Context,
): Reading {
  const captureId = captureIdOf(refund) ?? captures[0]!.id;
  const facts = { ...factsOf(refund, captureId), refund_id: refund.id };
  const failed = failedAmountChecks(refund.amount, context);
  if (failed.length > 0) return { kind: 'held', failed, facts };
  const event = eventAbout(captureId, context, {
    txnId: refund.id,
    status: refund.status,
    movement: refund.status === 'COMPLETED' ? 'refunded' : 'noted',
    amountCents: centsOf(refund.amount)!,
    happenedAt: timeOf(refund.create_time, context),
  });
  const endedDisputes = disputes.flatMap(({ settledBy, end }) => (settledBy === refund && end ? [end] : []));
  return { kind: 'event', event, facts, ...(endedDisputes.length > 0 && { endedDisputes }) };
}

/**
 * PayPal calls the capture refunded, but no refund of it is known, for example because the webhook about the refund of a plan's charge was lost. An
 * admin looks the refund up.
 */
function readUnknownRefund(capture: Capture, refunds: readonly Refund[]): Reading[] {
  const isKnown = refunds.some((refund) => (captureIdOf(refund) ?? capture.id) === capture.id);
  if (!capture.status.endsWith('REFUNDED') || isKnown) return [];
  const failed = [{ check: 'refund', expected: 'a refund whose amount is known', found: capture.status }];
  return [{ kind: 'held', failed, facts: factsOf(capture, capture.id) }];
}

interface ReadDispute {
  readings: Reading[];
  /** The end of the dispute, if refunds have settled it. It is recorded with the last of them. */
  end?: ReportedEvent;
  settledBy?: Refund;
}

/**
 * An open dispute counts as a reversal of its amount. The reversal is cancelled when the shop keeps the money, or when the refund after a lost
 * dispute shows in PayPal's order. Without such a refund, it stays. While a dispute is open, PayPal accepts no other partial refund.
 */
function readDispute(
  dispute: Dispute,
  captures: readonly Capture[],
  refunds: readonly Refund[],
  context: Context,
): ReadDispute {
  const namedIds = dispute.disputed_transactions?.map(({ seller_transaction_id: id }) => id) ?? [];
  const capture = captures.find(({ id }) => namedIds.includes(id));
  if (!capture) return { readings: [] };
  const facts = {
    ...factsOf({ ...dispute, amount: dispute.dispute_amount }, capture.id),
    dispute_id: dispute.dispute_id,
  };
  const failed = failedAmountChecks(dispute.dispute_amount, context);
  if (failed.length > 0) return { readings: [{ kind: 'held', failed, facts }] };
  const reported = (status: string, movement: Movement, time: string | undefined): ReportedEvent => {
    const event = eventAbout(capture.id, context, {
      ...{ txnId: dispute.dispute_id, status, movement, amountCents: centsOf(dispute.dispute_amount)! },
      happenedAt: timeOf(time, context),
    });
    const reason = dispute.reason === undefined ? undefined : inWords(dispute.reason);
    return { event: { ...event, ...(reason !== undefined && { reason }) }, facts };
  };
  const opened: Reading = { kind: 'event', ...reported('OPEN', 'reversed', dispute.create_time) };
  const end = reported('RESOLVED', 'reversal_cancelled', dispute.update_time);
  const { outcome_code: outcome = '', amount_refunded: awarded } = dispute.dispute_outcome ?? {};
  const isKept = keptOutcomes.has(outcome) || (awarded && centsOf(awarded)) === 0;
  if (dispute.status === 'RESOLVED' && isKept) return { readings: [opened, { kind: 'event', ...end }] };
  const settledBy = findSettlement(dispute, capture, refunds);
  return { readings: [opened], ...(settledBy && { end, settledBy }) };
}

/** The last of the refunds since the dispute was opened, if they add up to what its outcome awards to the buyer. */
function findSettlement(
  { create_time: openedAt = '', dispute_outcome: outcome, dispute_amount: disputed }: Dispute,
  { id }: Capture,
  refunds: readonly Refund[],
): Refund | undefined {
  const refundsSince = refunds.filter(
    (refund) =>
      refund.status === 'COMPLETED' &&
      (captureIdOf(refund) ?? id) === id &&
      Date.parse(refund.create_time ?? '') >= Date.parse(openedAt),
  );
  const cents = refundsSince.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0), 0);
  return cents >= (centsOf(outcome?.amount_refunded ?? disputed) ?? Infinity)
    ? refundsSince.at(-1)
    : undefined;
}

function eventAbout(
  captureId: string,
  { attempt }: Context,
  event: Pick<ProviderEvent, 'txnId' | 'status' | 'movement' | 'amountCents' | 'happenedAt'>,
): ProviderEvent {
  return {
    ...event,
    parentTxnId: captureId,
    ...{ feeCents: null, currency: attempt.currency, receiverAccount: null, needsAcceptance: false },
  };
}

/** Money may go back in parts, so any amount from one cent to the attempt's amount is valid. */
function failedAmountChecks(amount: Money, { attempt }: Context): FailedCheck[] {
  const cents = centsOf(amount) ?? 0;
  const isPart = amount.currency_code === attempt.currency && cents > 0 && cents <= attempt.amountCents;
  if (isPart) return [];
  const expected = `from 0.01 to ${dollarsOf(attempt.amountCents)} ${attempt.currency}`;
  return [{ check: 'amount', expected, found: `${amountOf(amount)} ${amount.currency_code}` }];
}

function factsOf(
  { status, amount, status_details: details }: Pick<Capture, 'status' | 'amount' | 'status_details'>,
  captureId: string,
): NotificationFacts {
  const { value, currency_code: currency } = amount;
  const reason = details?.reason;
  return { capture_id: captureId, status, amount: value, currency, ...(reason !== undefined && { reason }) };
}

const amountOf = (amount: Money) => {
  const cents = centsOf(amount);
  return cents === undefined ? amount.value : dollarsOf(cents);
};

const inWords = (code: string) =>
  code === 'INSTRUMENT_DECLINED' ? 'payment method declined' : code.toLowerCase().replaceAll('_', ' ');

function timeOf(time: string | undefined, { receivedAt }: Context): Date {
  const parsed = new Date(time ?? '');
  return Number.isNaN(parsed.getTime()) ? receivedAt : parsed;
}
