import type { CheckoutForm } from '#libs/contracts';

/**
 * The status of a subscription at the provider. `unapproved`: the customer has not approved it yet, or the provider has not activated it yet.
 * `charging`: charged every month. `stopped`: not charged until it is resumed. `cancelled`: never charged again.
 */
export type ProviderStatus = 'unapproved' | 'charging' | 'stopped' | 'cancelled';

/** What a provider says about a subscription. */
export interface ProviderSubscription {
  status: ProviderStatus;
  /**
   * What the provider charges for and how much, as agreed through `beginChange` or when the subscription began; null if these terms were not
   * agreed on through this site.
   */
  terms: SubscriptionTerms | null;
  startedAt: Date | null;
  nextChargeAt: Date | null;
  /** Whether a failed charge is still outstanding. */
  isPastDue: boolean;
  failedAt: Date | null;
  /** When a failed charge is tried again. */
  retryAt: Date | null;
  outstandingCents: number;
}

export interface SubscriptionTerms {
  packageName: string;
  /** With added tax, as the provider charges it. `SubscriptionInquiryService` subtracts the tax from the price that it reads. */
  priceCents: number;
}

/** The payment of a cycle, as the provider lists it. */
export interface ProviderCharge {
  /** The provider's id of the transaction. */
  txnId: string;
  state: 'received' | 'pending' | 'failed';
  /** Wholly or in part. */
  isRefunded: boolean;
  amountCents: number;
  currency: string;
  at: Date;
}

/**
 * What a provider does for plans that renew. Every call can throw NoAnswerYet and RefusedByProvider, and may be repeated.
 *
 * A change of the status is refused if the subscription has that status already, or is cancelled: the caller then reads the subscription again.
 */
export abstract class SubscriptionProvider {
  /** Where customers change their payment method. */
  abstract readonly paymentMethodUrl: string;

  /** Null if the provider does not know it. */
  abstract read(reference: string): Promise<ProviderSubscription | null>;

  /** Oldest first. */
  abstract listCharges(reference: string, from: Date, to: Date): Promise<ProviderCharge[]>;

  /** The provider's report about a charge, which `PaymentProvider.read` understands. Null if the provider does not know it. */
  abstract reportCharge(txnId: string): Promise<Buffer | null>;

  abstract stop(reference: string, reason: string): Promise<void>;
  abstract resume(reference: string, reason: string): Promise<void>;
  abstract cancel(reference: string, reason: string): Promise<void>;

  /** Charges the outstanding amount, only once however often it is called with the same `requestId`. */
  abstract chargeOutstanding(reference: string, amountCents: number, requestId: string): Promise<void>;

  /** The page on which the customer approves other terms, which apply from the next charge on. */
  abstract beginChange(reference: string, terms: SubscriptionTerms, returnUrl: string): Promise<CheckoutForm>;
}

/** The clock of a simulated provider, which can be moved. */
export abstract class SimulatedClock {
  /** How far it is ahead of real time, in milliseconds. */
  abstract read(): Promise<number>;

  /**
   * Moves the clock forward to this time, unless the clock is later already, and waits until everything that becomes due has happened. Returns how
   * far the clock is ahead afterwards.
   */
  abstract advanceTo(time: Date): Promise<number>;
}
