import type { OrderPayment } from '#libs/contracts';
import type { ProviderOutcome, ProviderState } from '../order/order-payment.js';
import { dollarsOf } from '../money/price.js';

/** The effect of an event on the money, whatever the provider calls it. */
export type Movement =
  | 'received'
  | 'pending'
  | 'failed'
  | 'refunded'
  | 'reversed'
  | 'reversal_cancelled'
  /** Recorded without effect. */
  | 'noted';

/** An event that passed every check. */
export interface AcceptedEvent {
  /** All events of one payment have the same id. A refund or reversal has its own. */
  txnId: string;
  /** The payment that a refund or reversal belongs to. The cancellation of a reversal names the payment or the reversal. */
  parentTxnId: string | null;
  movement: Movement;
  /** Without a sign. */
  amountCents: number;
  /** The provider's fee, if known. A reversal may be net of it. */
  feeCents: number | null;
  happenedAt: Date;
}

interface Payment {
  txnId: string;
  state: OrderPayment['state'];
  amountCents: number;
  refundedCents: number;
  disputedCents: number;
  paidAt: Date;
}

/**
 * Computes what became of an order's payments from the **set** of its accepted events and nothing else. Providers promise neither that events come
 * in order nor that each event comes once.
 *
 * A refund or reversal has no effect until its payment is known. A pending payment has failed if it was refunded in full, or has a reversal that was
 * not cancelled: no money was received, so none can go back. The failure of one transaction never takes back the money of another.
 */
export function providerOutcomeOf(events: Iterable<AcceptedEvent>): ProviderOutcome {
  const payments = paymentsFrom(events);
  return {
    state: overallState(payments),
    payments: payments.map(view),
    refundedCents: payments.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    disputedCents: payments.reduce((sum, { disputedCents }) => sum + disputedCents, 0),
    paidTwice: payments.filter(holdsMoney).length > 1,
  };
}

/** Received cents that were neither refunded nor disputed, by transaction. Leaves out payments of which nothing is left. */
export function centsLeftByTxnId(events: Iterable<AcceptedEvent>): Map<string, number> {
  const payments = paymentsFrom(events).filter(holdsMoney);
  return new Map(
    payments.map((payment) => [
      payment.txnId,
      payment.amountCents - payment.refundedCents - payment.disputedCents,
    ]),
  );
}

/** The transaction of the payment to which an event belongs, as far as the events show it. */
export function paymentTxnIdOf(
  { txnId, parentTxnId }: AcceptedEvent,
  events: Iterable<AcceptedEvent>,
): string {
  return rootOf(parentTxnId ?? txnId, parentsOf(events));
}

function paymentsFrom(events: Iterable<AcceptedEvent>): Payment[] {
  return [...groupByPayment(events).values()].flatMap(paymentFrom).sort(byTime);
}

const holdsMoney = ({ state }: Payment) => state === 'received' || state === 'partially_refunded';

/** The order has the state of its best payment. The best comes first. */
const stateByPrecedence: readonly (readonly [OrderPayment['state'], ProviderState])[] = [
  ['received', 'paid'],
  ['partially_refunded', 'partially_refunded'],
  ['disputed', 'disputed'],
  ['pending', 'pending'],
  ['refunded', 'refunded'],
  ['failed', 'failed'],
];

function overallState(payments: readonly Payment[]): ProviderState {
  const best = stateByPrecedence.find(([state]) => payments.some((payment) => payment.state === state));
  return best?.[1] ?? 'unpaid';
}

function groupByPayment(events: Iterable<AcceptedEvent>): Map<string, AcceptedEvent[]> {
  const all = [...events];
  const parents = parentsOf(all);
  const grouped = new Map<string, AcceptedEvent[]>();
  for (const event of all) {
    const root = rootOf(event.parentTxnId ?? event.txnId, parents);
    grouped.set(root, [...(grouped.get(root) ?? []), event]);
  }
  return grouped;
}

function parentsOf(events: Iterable<AcceptedEvent>): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { txnId, parentTxnId } of events) if (parentTxnId !== null) parents.set(txnId, parentTxnId);
  return parents;
}

/** The cancellation of a reversal may name the reversal instead of the payment. */
function rootOf(txnId: string, parents: ReadonlyMap<string, string>): string {
  let root = txnId;
  for (let steps = parents.size; steps > 0; steps -= 1) {
    const parent = parents.get(root);
    if (parent === undefined) break;
    root = parent;
  }
  return root;
}

/** Empty if no event of the payment itself is known, or only `noted` ones. */
function paymentFrom(events: readonly AcceptedEvent[]): Payment[] {
  const own = (['received', 'pending', 'failed'] as const).map((movement) =>
    earliestPaymentEvent(events, movement),
  );
  const [received, pending, failed] = own;
  if (received) return [{ ...paymentFacts(received), ...moneyOf(received, events) }];
  const isOver = failed !== undefined || (pending !== undefined && endedWhilePending(pending, events));
  const last = failed ?? pending;
  if (!last) return [];
  return [
    { ...paymentFacts(last), refundedCents: 0, disputedCents: 0, state: isOver ? 'failed' : 'pending' },
  ];
}

/** True if the payment was refunded in full, or has a reversal that was not cancelled. The provider reverses a payment that its review refuses. */
function endedWhilePending(pending: AcceptedEvent, events: readonly AcceptedEvent[]): boolean {
  return openReversalCents(events, 0) > 0 || sumOf(events, 'refunded') >= pending.amountCents;
}

function moneyOf(
  { amountCents, feeCents }: AcceptedEvent,
  events: readonly AcceptedEvent[],
): Pick<Payment, 'state' | 'refundedCents' | 'disputedCents'> {
  const refundedCents = sumOf(events, 'refunded');
  const left = amountCents - refundedCents;
  if (left <= 0) return { state: 'refunded', refundedCents, disputedCents: 0 };
  const taken = openReversalCents(events, feeCents ?? 0);
  // A reversal of the whole remainder may be smaller by the fee. After refunds, the fee may be lower than `feeCents`, so at most half of the
  // remainder counts as the fee.
  const maxFeeCents = Math.min(feeCents ?? 0, Math.floor(left / 2));
  if (taken > 0 && taken >= left - maxFeeCents)
    return { state: 'disputed', refundedCents, disputedCents: left };
  return {
    state: refundedCents > 0 ? 'partially_refunded' : 'received',
    refundedCents,
    disputedCents: taken,
  };
}

/**
 * What reversals have taken and their cancellations have not returned. A cancellation belongs to the reversal that it names. Most name the payment
 * instead; those belong to the reversal with the closest amount. What a cancellation leaves of a reversal is ignored if it is not more than the fee,
 * because a cancellation may be net of the fee.
 */
function openReversalCents(events: readonly AcceptedEvent[], feeCents: number): number {
  const open = new Map([...amountByTransaction(events, 'reversed')].sort(byAmount));
  const parents = new Map(events.map(({ txnId, parentTxnId }) => [txnId, parentTxnId]));
  const namesOpenReversal = ([txnId]: Amount) => open.has(parents.get(txnId) ?? '');
  const cancelled = [...amountByTransaction(events, 'reversal_cancelled')].sort(byAmount);
  const inOrder = [
    ...cancelled.filter(namesOpenReversal),
    ...cancelled.filter((amount) => !namesOpenReversal(amount)),
  ];
  for (const [txnId, cents] of inOrder) {
    const parent = parents.get(txnId) ?? '';
    const target = open.has(parent) ? parent : closest(open, cents);
    if (target === undefined) break;
    const rest = open.get(target)! - cents;
    if (rest > feeCents) open.set(target, rest);
    else open.delete(target);
  }
  return [...open.values()].reduce((sum, cents) => sum + cents, 0);
}

type Amount = [txnId: string, cents: number];

/** Largest first, equal amounts in a fixed order. */
function byAmount([a, aCents]: Amount, [b, bCents]: Amount): number {
  return bCents - aCents || (a < b ? -1 : 1);
}

function closest(amounts: ReadonlyMap<string, number>, cents: number): string | undefined {
  let best: Amount | undefined;
  for (const [txnId, found] of amounts) {
    const distance = Math.abs(found - cents);
    if (!best || distance < best[1]) best = [txnId, distance];
  }
  return best?.[0];
}

/** Of several at the same moment, the one with the smallest amount. */
function earliestPaymentEvent(
  events: readonly AcceptedEvent[],
  movement: Movement,
): AcceptedEvent | undefined {
  return events
    .filter((event) => event.movement === movement && event.parentTxnId === null)
    .sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime() || a.amountCents - b.amountCents)[0];
}

/** Counts a transaction once, however often its events are repeated. */
function amountByTransaction(events: readonly AcceptedEvent[], movement: Movement): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { txnId, amountCents } of events.filter((event) => event.movement === movement)) {
    amounts.set(txnId, Math.max(amountCents, amounts.get(txnId) ?? 0));
  }
  return amounts;
}

const sumOf = (events: readonly AcceptedEvent[], movement: Movement) =>
  [...amountByTransaction(events, movement).values()].reduce((sum, cents) => sum + cents, 0);

const paymentFacts = ({ txnId, amountCents, happenedAt }: AcceptedEvent) => ({
  txnId,
  amountCents,
  paidAt: happenedAt,
});

function byTime(a: Payment, b: Payment): number {
  return a.paidAt.getTime() - b.paidAt.getTime() || (a.txnId < b.txnId ? -1 : 1);
}

function view({ txnId, state, amountCents, refundedCents, paidAt }: Payment): OrderPayment {
  return {
    txnId,
    state,
    amount: dollarsOf(amountCents),
    refunded: dollarsOf(refundedCents),
    paidAt: paidAt.toISOString(),
  };
}
