import type { OrderPayment, PaymentHold, PaymentState, PaymentStatus } from '#libs/contracts';

export type ProviderState =
  | 'unpaid'
  | 'pending'
  | 'failed'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed';

/** The payment status that an admin has set. */
export type Override = 'UnPaid' | 'Paid';

export interface ProviderOutcome {
  state: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  /** What disputes and chargebacks have taken and not returned. */
  disputedCents: number;
  /** Something is left of at least two payments, after refunds and disputes. */
  paidTwice: boolean;
}

interface PaymentFacts {
  providerState: ProviderState;
  override: Override | null;
  cancelled: boolean;
}

const statusByState: Record<ProviderState, PaymentStatus> = {
  unpaid: 'UnPaid',
  pending: 'UnPaid',
  failed: 'UnPaid',
  paid: 'Paid',
  partially_refunded: 'Paid',
  refunded: 'Cancelled',
  disputed: 'Cancelled',
};

/** True even if the money was refunded or disputed later. */
export const isReceived = ({ state }: OrderPayment) => state !== 'pending' && state !== 'failed';

export function paymentStatusByProvider(providerState: ProviderState): PaymentStatus {
  return statusByState[providerState];
}

/**
 * Under an override of UnPaid, a cancelled order stays Cancelled, whatever money arrives. Without an override, money that arrives makes a cancelled
 * order Paid. Where the provider's state would contradict the payment status, the payment state is 'paid', 'unpaid' or 'cancelled' instead.
 */
export function paymentStatusAndState({ providerState, override, cancelled }: PaymentFacts): {
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
} {
  const byProvider = paymentStatusByProvider(providerState);
  if (override === 'Paid')
    return { paymentStatus: 'Paid', paymentState: byProvider === 'Paid' ? providerState : 'paid' };
  if (cancelled && (override === 'UnPaid' || byProvider === 'UnPaid')) {
    return {
      paymentStatus: 'Cancelled',
      paymentState: byProvider === 'Cancelled' ? providerState : 'cancelled',
    };
  }
  if (override === 'UnPaid') {
    return { paymentStatus: 'UnPaid', paymentState: byProvider === 'UnPaid' ? providerState : 'unpaid' };
  }
  return { paymentStatus: byProvider, paymentState: providerState };
}

interface Payability {
  paymentStatus: PaymentStatus;
  providerState: ProviderState;
  /** The plan to which the order belongs. The provider charges plans by itself, so the buyer cannot pay such an order. */
  subscriptionId: string | null;
  hold: PaymentHold | null;
}

export function isPayable({ paymentStatus, providerState, subscriptionId, hold }: Payability): boolean {
  const awaitsPayment = providerState === 'unpaid' || providerState === 'failed';
  return paymentStatus === 'UnPaid' && awaitsPayment && subscriptionId === null && hold === null;
}
