import type { CheckoutForm } from '#libs/contracts';

/**
 * `unapproved`: still to be approved by the customer or activated by the provider. `stopped`: not charged until it is resumed. `cancelled`: never
 * charged again.
 */
export type ProviderSubscriptionStatus = 'unapproved' | 'charging' | 'stopped' | 'cancelled';

export interface ProviderSubscription {
  status: ProviderSubscriptionStatus;
  /** What the provider charges for and how much; null if these terms were not agreed on through this site. */
  terms: SubscriptionTerms | null;
  startedAt: Date | null;
  nextChargeAt: Date | null;
  isPastDue: boolean;
  /** When a charge last failed; null unless the subscription is past due. */
  failedAt: Date | null;
  retryAt: Date | null;
  outstandingCents: number;
}

export interface SubscriptionTerms {
  packageName: string;
  /** With added tax, as the provider charges it. After `SubscriptionInquiryService` has read the subscription, without tax. */
  priceCents: number;
}

export interface ProviderCharge {
  txnId: string;
  state: 'received' | 'pending' | 'failed';
  /** Wholly or in part. */
  isRefunded: boolean;
  amountCents: number;
  at: Date;
}

/**
 * `reference` is the provider's id of a subscription. Every call can throw NoAnswerYet and RefusedByProvider, and is safe to repeat.
 *
 * A change of the status is refused if the subscription has that status already, or is cancelled. A caller that needs the status then reads the
 * subscription again.
 */
export abstract class SubscriptionProvider {
  /** The provider's page on which the customer can change the payment method. */
  abstract readonly paymentMethodUrl: string;

  /** Null if the provider does not know the subscription. */
  abstract read(reference: string): Promise<ProviderSubscription | null>;

  /** Oldest first. */
  abstract listCharges(reference: string, from: Date, to: Date): Promise<ProviderCharge[]>;

  /** The provider's answer about a charge, for `PaymentProvider.read`. Null if the provider does not know the charge. */
  abstract findChargeReport(txnId: string): Promise<Buffer | null>;

  abstract stop(reference: string, reason: string): Promise<void>;
  abstract resume(reference: string, reason: string): Promise<void>;
  abstract cancel(reference: string, reason: string): Promise<void>;

  /** Charges only once for each `requestId`. */
  abstract chargeOutstanding(reference: string, amountCents: number, requestId: string): Promise<void>;

  /** The page on which the customer approves other terms, which apply from the next charge on. */
  abstract beginChange(reference: string, terms: SubscriptionTerms, returnUrl: string): Promise<CheckoutForm>;
}

/** The billing clock of a simulator, for the time machine. */
export abstract class SimulatedClock {
  /** How far the clock is ahead of real time, in milliseconds. */
  abstract readAheadMs(): Promise<number>;

  /**
   * Moves the clock forward, unless it is later already, and waits until everything that becomes due has happened. Returns how far the clock is
   * ahead.
   */
  abstract advanceTo(time: Date): Promise<number>;
}
