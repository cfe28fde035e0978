import { centsOf } from '../money/price.js';
import { isReceived, paymentStatusByProvider } from './order-payment.js';
import type { OrderFacts } from './order-transition.js';

export type BilledFacts = Pick<OrderFacts, 'providerState' | 'payments' | 'disputedCents' | 'override'> & {
  costCents: number;
};

export interface BillingStep {
  /** Positive for an invoice, negative for credit notes. */
  cents: number;
  cause: 'payment' | 'refund' | 'dispute' | 'dispute_closed' | 'override';
}

/**
 * What the documents of an order must add up to: what was received and neither refunded nor disputed, at most what the order costs. So a second
 * payment needs no invoice, and its refund no credit note. If the payment status that an admin has set (the override) disagrees with the provider's
 * state, the override decides.
 */
export function billedCents(facts: BilledFacts): number {
  if (isDecidedByOverride(facts)) return facts.override === 'Paid' ? facts.costCents : 0;
  return clamp(keptCents(facts), facts);
}

/**
 * The documents that a change of an order needs. If a refund became known before its payment, the payment still needs an invoice for the whole
 * amount, and then a credit note.
 */
export function billingSteps(before: BilledFacts, after: BilledFacts): BillingStep[] {
  const [was, is] = [billedCents(before), billedCents(after)];
  if (isDecidedByOverride(before) || isDecidedByOverride(after))
    return nonZero([{ cents: is - was, cause: 'override' }]);
  const newlyReceived = receivedCents(after) - receivedCents(before);
  const afterPayment = clamp(keptCents(before) + newlyReceived, after);
  return nonZero([
    { cents: afterPayment - was, cause: 'payment' },
    { cents: is - afterPayment, cause: causeOf(is - afterPayment, before, after) },
  ]);
}

/** Does not conclude `dispute_closed` from a lower `disputedCents`: a refund of the whole payment also ends its disputes. */
function causeOf(cents: number, before: BilledFacts, after: BilledFacts): BillingStep['cause'] {
  if (after.disputedCents > before.disputedCents) return 'dispute';
  return cents > 0 ? 'dispute_closed' : 'refund';
}

/** An override of Paid changes nothing while the order is Paid according to the provider, too. */
function isDecidedByOverride({ override, providerState }: BilledFacts): boolean {
  return override === 'UnPaid' || (override === 'Paid' && paymentStatusByProvider(providerState) !== 'Paid');
}

function keptCents({ payments, disputedCents }: BilledFacts): number {
  const kept = payments.filter(isReceived).map(({ amount, refunded }) => centsOf(amount) - centsOf(refunded));
  return kept.reduce((sum, cents) => sum + Math.max(cents, 0), -disputedCents);
}

function receivedCents({ payments }: BilledFacts): number {
  return payments.filter(isReceived).reduce((sum, { amount }) => sum + centsOf(amount), 0);
}

const clamp = (cents: number, { costCents }: BilledFacts) => Math.min(Math.max(cents, 0), costCents);

const nonZero = (steps: BillingStep[]) => steps.filter(({ cents }) => cents !== 0);
