import type { OrderPayment } from '#libs/contracts';
import type { ProviderOutcome, ProviderState } from '../order/order-payment.js';
import { dollarsOf } from '../money/price.js';

/** What an event says about money, whatever its provider calls it. */
export type Movement =
  | 'received'
  | 'pending'
  | 'failed'
  | 'refunded'
  | 'reversed'
  | 'reversal_cancelled'
  /** Recorded, and without effect. */
  | 'noted';

/** One event of a provider that passed every check. */
export interface AcceptedEvent {
  /** The provider's id of the transaction: a payment keeps one for life, a refund or reversal has its own. */
  txnId: string;
  /** Of a refund, a reversal or a cancelled one: the payment that it belongs to. */
  parentTxnId: string | null;
  movement: Movement;
  /** Without a sign. */
  amountCents: number;
  /** What the provider kept of it, where it says so. A reversal may be told net of this fee. */
  feeCents: number | null;
  /** When the provider says that it happened. */
  happenedAt: Date;
}

interface Payment {
  txnId: string;
  state: OrderPayment['state'];
  amountCents: number;
  refundedCents: number;
  /** What disputes and chargebacks have taken, and not given back. */
  disputedCents: number;
  paidAt: Date;
}

/**
 * What an order's accepted events amount to: a function of the **set** of events. In which order they came, and how often, cannot
 * matter (https://developer.paypal.com/api/nvp-soap/ipn/IPNIntro/ promises neither), and neither can anything but the events.
 *
 * A refund or reversal counts once its payment is known: until then nothing has been checked that it could take away from. Of a payment
 * that is still pending it says that the payment failed: no money was received, so none can go back. Money of one transaction is never
 * taken back by the failure of another.
 */
export function providerStateOf(events: Iterable<AcceptedEvent>): ProviderOutcome {
  const payments = [...byPayment(events).values()].flatMap(paymentFrom).sort(byTime);
  const holding = payments.filter(({ state }) => state === 'received' || state === 'partially_refunded');
  return {
    state: overall(payments),
    payments: payments.map(view),
    refundedCents: payments.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
    disputedCents: payments.reduce((sum, { disputedCents }) => sum + disputedCents, 0),
    paidTwice: holding.length > 1,
  };
}

/** Of several payments the best counts: the shop has the money of one, whatever became of the others. */
const stateByPrecedence: readonly (readonly [OrderPayment['state'], ProviderState])[] = [
  ['received', 'paid'],
  ['partially_refunded', 'partially_refunded'],
  ['disputed', 'disputed'],
  ['pending', 'pending'],
  ['refunded', 'refunded'],
  ['failed', 'failed'],
];

function overall(payments: readonly Payment[]): ProviderState {
  const best = stateByPrecedence.find(([state]) => payments.some((payment) => payment.state === state));
  return best?.[1] ?? 'unpaid';
}

/** Events by the payment that they belong to. */
function byPayment(events: Iterable<AcceptedEvent>): Map<string, AcceptedEvent[]> {
  const all = [...events];
  const parents = new Map<string, string>();
  for (const { txnId, parentTxnId } of all) if (parentTxnId !== null) parents.set(txnId, parentTxnId);
  const grouped = new Map<string, AcceptedEvent[]>();
  for (const event of all) {
    const root = rootOf(event.parentTxnId ?? event.txnId, parents);
    grouped.set(root, [...(grouped.get(root) ?? []), event]);
  }
  return grouped;
}

/** The cancelling of a reversal may name the reversal instead of the payment. */
function rootOf(txnId: string, parents: ReadonlyMap<string, string>): string {
  let root = txnId;
  for (let steps = parents.size; steps > 0; steps -= 1) {
    const parent = parents.get(root);
    if (parent === undefined) break;
    root = parent;
  }
  return root;
}

/** None for a payment of which only refunds, reversals or notes are known. */
function paymentFrom(events: readonly AcceptedEvent[]): Payment[] {
  const own = (['received', 'pending', 'failed'] as const).map((movement) => first(events, movement));
  const [received, pending, failed] = own;
  if (received) return [{ ...facts(received), ...moneyOf(received, events) }];
  const isOver = failed ?? (pending && wentBack(pending, events));
  const last = failed ?? pending;
  if (!last) return [];
  return [{ ...facts(last), refundedCents: 0, disputedCents: 0, state: isOver ? 'failed' : 'pending' }];
}

/** A payment that ended before the money arrived: the provider's review refused it, or it was refunded while pending. */
function wentBack(pending: AcceptedEvent, events: readonly AcceptedEvent[]): boolean {
  return openReversals(events, 0) > 0 || sumOnce(events, 'refunded') >= pending.amountCents;
}

function moneyOf(
  { amountCents, feeCents }: AcceptedEvent,
  events: readonly AcceptedEvent[],
): Pick<Payment, 'state' | 'refundedCents' | 'disputedCents'> {
  const refundedCents = sumOnce(events, 'refunded');
  const left = amountCents - refundedCents;
  if (left <= 0) return { state: 'refunded', refundedCents, disputedCents: 0 };
  const taken = openReversals(events, feeCents ?? 0);
  // A reversal of all that is left may be told net of the fee, of which refunds may have returned a part.
  const feeAtMost = Math.min(feeCents ?? 0, Math.floor(left / 2));
  if (taken > 0 && taken >= left - feeAtMost)
    return { state: 'disputed', refundedCents, disputedCents: left };
  return {
    state: refundedCents > 0 ? 'partially_refunded' : 'received',
    refundedCents,
    disputedCents: taken,
  };
}

/**
 * The sum that reversals have taken and cancelled reversals have not given back. A cancellation belongs to the reversal that it names,
 * else to the one whose amount is closest: PayPal mostly names the payment. What remains of a reversal and is no more than the fee is nothing.
 */
function openReversals(events: readonly AcceptedEvent[], feeCents: number): number {
  const open = new Map([...onceEach(events, 'reversed')].sort(byAmount));
  const named = new Map(events.map(({ txnId, parentTxnId }) => [txnId, parentTxnId]));
  const namesOpen = ([txnId]: Amount) => open.has(named.get(txnId) ?? '');
  const cancelled = [...onceEach(events, 'reversal_cancelled')].sort(byAmount);
  const inOrder = [...cancelled.filter(namesOpen), ...cancelled.filter((amount) => !namesOpen(amount))];
  for (const [txnId, cents] of inOrder) {
    const parent = named.get(txnId) ?? '';
    const target = open.has(parent) ? parent : closest(open, cents);
    if (target === undefined) break;
    const rest = open.get(target)! - cents;
    if (rest > feeCents) open.set(target, rest);
    else open.delete(target);
  }
  return [...open.values()].reduce((sum, cents) => sum + cents, 0);
}

type Amount = [txnId: string, cents: number];

/** The largest first, and of equal ones always the same. */
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

/** The earliest of its kind, and of those of one moment always the same. */
function first(events: readonly AcceptedEvent[], movement: Movement): AcceptedEvent | undefined {
  return events
    .filter((event) => event.movement === movement && event.parentTxnId === null)
    .sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime() || a.amountCents - b.amountCents)[0];
}

/** Amounts of this kind by transaction, each transaction once. */
function onceEach(events: readonly AcceptedEvent[], movement: Movement): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { txnId, amountCents } of events.filter((event) => event.movement === movement)) {
    amounts.set(txnId, Math.max(amountCents, amounts.get(txnId) ?? 0));
  }
  return amounts;
}

const sumOnce = (events: readonly AcceptedEvent[], movement: Movement) =>
  [...onceEach(events, movement).values()].reduce((sum, cents) => sum + cents, 0);

const facts = ({ txnId, amountCents, happenedAt }: AcceptedEvent) => ({
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
