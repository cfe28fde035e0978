import type { OrderPayment, PaymentHold, PaymentState, PaymentStatus } from '#libs/contracts';

/** The state that follows from the provider's stored events only. */
export type ProviderState =
  | 'unpaid'
  | 'pending'
  | 'failed'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed';

/** The payment statuses that an admin can set. */
export type Override = 'UnPaid' | 'Paid';

export interface ProviderOutcome {
  state: ProviderState;
  payments: OrderPayment[];
  refundedCents: number;
  /** What disputes and chargebacks have taken and not returned. */
  disputedCents: number;
  /** More than one payment was received and neither fully refunded nor disputed. */
  paidTwice: boolean;
}

interface PaymentFacts {
  provider: ProviderState;
  /** Set by an admin; null if none has set one. */
  override: Override | null;
  /** The customer or an admin has cancelled the order. */
  cancelled: boolean;
}

/** The payment status that follows from each state. */
const statusByState: Record<ProviderState, PaymentStatus> = {
  unpaid: 'UnPaid',
  pending: 'UnPaid',
  failed: 'UnPaid',
  paid: 'Paid',
  partially_refunded: 'Paid',
  refunded: 'Cancelled',
  disputed: 'Cancelled',
};

/** Whether the money was received, also if it was refunded or disputed later. */
export const isReceived = ({ state }: OrderPayment) => state !== 'pending' && state !== 'failed';

/** The payment status according to the provider only. */
export function providerStatus(provider: ProviderState): PaymentStatus {
  return statusByState[provider];
}

/**
 * Derives an order's payment status and state. Money never undoes an admin's override, which stands until the next one. Only an UnPaid order
 * can be cancelled, whether UnPaid by the provider or by an override. Under an override of UnPaid, a cancelled order stays Cancelled whatever
 * money arrives; without an override, verified money makes it Paid. The state never contradicts the status: where the provider's state would,
 * 'paid', 'unpaid' or 'cancelled' is used.
 */
export function paymentStatusAndState({ provider, override, cancelled }: PaymentFacts): {
  paymentStatus: PaymentStatus;
  paymentState: PaymentState;
} {
  const byProvider = providerStatus(provider);
  if (override === 'Paid')
    return { paymentStatus: 'Paid', paymentState: byProvider === 'Paid' ? provider : 'paid' };
  if (cancelled && (override === 'UnPaid' || byProvider === 'UnPaid')) {
    return { paymentStatus: 'Cancelled', paymentState: byProvider === 'Cancelled' ? provider : 'cancelled' };
  }
  if (override === 'UnPaid') {
    return { paymentStatus: 'UnPaid', paymentState: byProvider === 'UnPaid' ? provider : 'unpaid' };
  }
  return { paymentStatus: byProvider, paymentState: provider };
}

interface Payability {
  paymentStatus: PaymentStatus;
  providerState: ProviderState;
  /** The plan whose charge pays the order: the provider takes the money by itself. Null for other orders, and while the plan has not begun. */
  subscriptionId: string | null;
  hold: PaymentHold | null;
}

/** Whether the order can be paid now: the `payable` that screens and mails follow. The call that starts a payment requires it. */
export function isPayable({ paymentStatus, providerState, subscriptionId, hold }: Payability): boolean {
  const awaitsPayment = providerState === 'unpaid' || providerState === 'failed';
  return paymentStatus === 'UnPaid' && awaitsPayment && subscriptionId === null && hold === null;
}
