import type { OrderPayment, PaymentState, PaymentStatus } from '#libs/contracts';

/** What the provider's stored events amount to, taken by themselves. */
export type ProviderState =
  'unpaid' | 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded' | 'disputed';

/** What an admin may set. */
export type Override = 'UnPaid' | 'Paid';

export interface ProviderOutcome {
  state: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  /** More than one transaction brought money. */
  paidTwice: boolean;
}

interface PaymentFacts {
  provider: ProviderState;
  /** What an admin has set, if anything. */
  override: Override | null;
  /** The customer has given up paying. */
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
 * What is told of an order's payment: an admin's override wins, then money at the provider, then the customer's cancelling. The
 * state never contradicts the status: where the override does, the state is the override's plain one.
 */
export function paymentOf({ provider, override, cancelled }: PaymentFacts): {
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
  /** Pay Now makes sense. */
  payable: boolean;
} {
  const money = providerStatus(provider);
  if (override !== null) {
    const plain = override === 'Paid' ? 'paid' : 'unpaid';
    const payable = override === 'UnPaid' && !cancelled && awaitsPayment(provider);
    return { paymentStatus: override, paymentState: money === override ? provider : plain, payable };
  }
  if (money === 'UnPaid' && cancelled) {
    return { paymentStatus: 'Cancelled', paymentState: 'cancelled', payable: false };
  }
  return { paymentStatus: money, paymentState: provider, payable: awaitsPayment(provider) };
}

function awaitsPayment(provider: ProviderState): boolean {
  return provider === 'unpaid' || provider === 'failed';
}
