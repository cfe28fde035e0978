import type { OrderPayment, PaymentHold, PaymentState, PaymentStatus } from '#libs/contracts';

/** What the provider's stored events amount to, taken by themselves. */
export type ProviderState =
  'unpaid' | 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded' | 'disputed';

/** What an admin may set. */
export type Override = 'UnPaid' | 'Paid';

export interface ProviderOutcome {
  state: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  /** What disputes and chargebacks have taken, and not given back. */
  disputedCents: number;
  /** More than one transaction brought money. */
  paidTwice: boolean;
}

interface PaymentFacts {
  provider: ProviderState;
  /** What an admin has set, if anything. */
  override: Override | null;
  /** The customer or an admin has cancelled it. */
  cancelled: boolean;
}

/** The three statuses of the specification, and the words that each covers. */
const statusOfProvider: Record<ProviderState, PaymentStatus> = {
  unpaid: 'UnPaid',
  pending: 'UnPaid',
  failed: 'UnPaid',
  paid: 'Paid',
  partially_refunded: 'Paid',
  refunded: 'Cancelled',
  disputed: 'Cancelled',
};

/** What the provider alone says of an order. */
export function providerStatus(provider: ProviderState): PaymentStatus {
  return statusOfProvider[provider];
}

/**
 * What an order's payment status is. Money never overrides an admin: an override stands until another. Cancelling needs an order that is
 * UnPaid, by the provider or by an override, and makes it Cancelled; under an override of UnPaid it stays so whatever money
 * comes, without an override verified money makes the order Paid. The state never contradicts the status: where the provider's
 * state does, the plain one stands in its place.
 */
export function paymentOf({ provider, override, cancelled }: PaymentFacts): {
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
} {
  const money = providerStatus(provider);
  if (override === 'Paid')
    return { paymentStatus: 'Paid', paymentState: money === 'Paid' ? provider : 'paid' };
  if (cancelled && (override === 'UnPaid' || money === 'UnPaid')) {
    return { paymentStatus: 'Cancelled', paymentState: money === 'Cancelled' ? provider : 'cancelled' };
  }
  if (override === 'UnPaid') {
    return { paymentStatus: 'UnPaid', paymentState: money === 'UnPaid' ? provider : 'unpaid' };
  }
  return { paymentStatus: money, paymentState: provider };
}

interface Payability {
  paymentStatus: PaymentStatus;
  providerState: ProviderState;
  hold: PaymentHold | null;
}

/** Whether Pay Now makes sense. Every screen and the call that starts a payment follow it. */
export function isPayable({ paymentStatus, providerState, hold }: Payability): boolean {
  const awaitsPayment = providerState === 'unpaid' || providerState === 'failed';
  return paymentStatus === 'UnPaid' && awaitsPayment && hold === null;
}
