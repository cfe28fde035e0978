import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { CheckoutForm, OrderFlag, PaymentProviderFacts } from '#libs/contracts';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import type { AcceptedEvent } from './provider-state.js';
import type { SimulatedClock, SubscriptionProvider } from './subscription-provider.js';

/** What an attempt is for: the payment of an order that is paid once, the approval of a plan that renews, or a charge of such a plan. */
export type AttemptKind = 'payment' | 'subscription' | 'charge';

/** What was agreed when an attempt began. Later changes of address or price do not affect it. */
export interface AttemptTerms {
  orderId: string;
  /** The account that receives the money, as the provider names it. */
  receiver: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** The provider's environment: an attempt of the sandbox is not valid in the live one. */
  environment: string;
  /** The provider's id of the account behind `receiver`, once the new checkout or an event of this attempt has named it. */
  receiverAccount: string | null;
}

export interface StartedAttempt extends AttemptTerms {
  id: string;
  kind: AttemptKind;
  /** Binds notifications to this attempt. The buyer's browser may receive it, so it is not secret. */
  token: string;
  /** The name that the buyer reads at the checkout. */
  itemName: string;
  /** The invoice number of a checkout that the provider creates: the order's number, with a suffix from the second attempt on. */
  invoice: string;
  /** The provider's id of the checkout, of the subscription, or of the charge; null until it is known, and for providers that create none. */
  checkoutReference: string | null;
}

/** A payment notification as it came, genuine or not. */
export interface Notification {
  body: Buffer;
  /** Those that the provider's facts list, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** What a notification or a report says about the attempt that it belongs to. Anyone can write any of it into a notification. */
export interface AttemptReferences {
  token?: string | undefined;
  checkoutReference?: string | undefined;
  /** A transaction of an earlier event. */
  txnId?: string | undefined;
  /** A refund that is not listed with its payment. */
  refundTxnId?: string | undefined;
}

/** What takes the buyer to the checkout. */
export interface StartedCheckout {
  /** A form to post, or an address without fields. */
  form: CheckoutForm;
  /** See `StartedAttempt.checkoutReference`. */
  reference?: string;
  /** See `AttemptTerms.receiverAccount`. */
  receiverAccount?: string;
}

/** A rule that a genuine notification or the provider's answer broke, for the admin who has to find out why. */
export interface FailedCheck {
  check: string;
  expected: string;
  found: string;
}

/** What admins may read of a notification or of the provider's answer: nothing about the buyer. */
export type NotificationFacts = Record<string, string>;

/** An event as the provider reports it. */
export interface ProviderEvent extends AcceptedEvent {
  /** The provider's word; several words of the same meaning may be stored as one. A transaction has each status only once. */
  status: string;
  currency: string;
  /** The provider's id of the account that received the money; null if the provider does not name it. */
  receiverAccount: string | null;
  /** The payment stays pending until the shop accepts or denies it at the provider. */
  needsAcceptance: boolean;
  /** The provider's reason for this event, in words that customers read, e.g. `echeck`. */
  reason?: string;
}

/**
 * `unapproved`: the buyer has not approved the payment. `approved`: the money can be taken. `charging`: the provider takes it on its own. `closed`:
 * nothing can be paid there any more.
 */
export type CheckoutState = 'unapproved' | 'approved' | 'charging' | 'closed';

/** One thing that the provider says about an attempt. */
export type Reading =
  | { kind: 'event'; event: ProviderEvent; facts: NotificationFacts }
  /** About the order, but not about money. */
  | { kind: 'remark'; text: string; raise?: OrderFlag[]; facts: NotificationFacts }
  /** A check failed, so the report has no effect on the order's money. */
  | { kind: 'held'; failed: FailedCheck[]; facts: NotificationFacts }
  /** What has become of a checkout at which no money was taken. It is the only reading then. */
  | { kind: 'checkout'; state: CheckoutState }
  /**
   * Whether the report is valid depends on a payment of which no event is stored yet. A notification of that payment is recognized by the facts in
   * `payment`. If it does not come, the report is held because of `failed`.
   */
  | { kind: 'early'; payment: NotificationFacts; failed: FailedCheck[]; facts: NotificationFacts };

/** The provider has refused a request, and would refuse it again. The message is for admins. */
export class RefusedByProvider extends Error {
  override readonly name = 'RefusedByProvider';
}

/** Whether a call failed at the provider: it gave no answer, or refused. Any other error is our own. */
export function isProvidersFault(error: unknown): error is NoAnswerYet | RefusedByProvider {
  return error instanceof NoAnswerYet || error instanceof RefusedByProvider;
}

/** For `catch`: the provider may have refused because an earlier request has had its effect already. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RefusedByProvider)) throw error;
}

/** A refund that an admin has asked for. */
export interface RefundRequest {
  /** Makes the request idempotent at the provider. */
  id: string;
  /** The payment's transaction. */
  txnId: string;
  amountCents: number;
  currency: string;
  /** The buyer reads it at the provider. */
  reason: string;
}

/**
 * A product of a company that takes payments, and how we talk to it. What differs between providers stays behind this class.
 *
 * The provider's report is what it says itself about an attempt, in bytes that are kept as evidence: a notification that it has confirmed, or
 * answers of its API. Only `read`, `referencesOf` and `factsOf` interpret it.
 */
export abstract class PaymentProvider {
  abstract readonly facts: PaymentProviderFacts;
  abstract readonly environment: string;

  /**
   * Whether all its settings for orders that are paid once are set. The first configured provider in `registeredProviders` takes the new payments of
   * these orders.
   */
  abstract readonly isConfigured: boolean;

  /** Whether its settings let it charge plans every month, through `subscriptions`. */
  get renews(): boolean {
    return false;
  }

  readonly subscriptions: SubscriptionProvider | undefined;
  /** Only a simulator has one. */
  readonly simulatedClock: SimulatedClock | undefined;

  /** Whether a notification is only a hint, after which the provider is asked for its report. Otherwise the notification is the report. */
  abstract readonly notifiesByHint: boolean;

  /** Stored with every attempt, notification and event. */
  get name(): string {
    return this.facts.name;
  }

  /** The name that people know. */
  get label(): string {
    return this.facts.label;
  }

  /** The account that receives payments now; null while none is set. */
  abstract receiver(tx: EntityManager): Promise<string | null>;

  /** The id of the record whose screen shows how payments are received; null if there is none. */
  receiverRecordId(): Promise<string | null> {
    return Promise.resolve(null);
  }

  /**
   * Returns what takes the buyer to the checkout. Called outside of transactions, and again if the buyer clicks twice: a provider that creates
   * something makes it idempotent by the attempt's id. Throws NoAnswerYet and RefusedByProvider.
   */
  abstract beginCheckout(attempt: StartedAttempt): Promise<StartedCheckout>;

  /** The identifiers by which a notification or the provider's report says which attempt it belongs to. */
  abstract referencesOf(body: Buffer): AttemptReferences;

  /** Whether the provider sent the notification. Throws NoAnswerYet. */
  abstract verify(notification: Notification, signal: AbortSignal): Promise<'genuine' | 'forged'>;

  /** The meaning of the provider's report, after every check against the terms of the attempt. */
  abstract read(report: Buffer, attempt: StartedAttempt, receivedAt: Date): Reading[];

  /** The facts of a notification, genuine or not, as evidence. */
  abstract factsOf(notification: Buffer): NotificationFacts;

  /**
   * Asks the provider about an attempt. `txnIds` are transactions that may belong to it: one that a returning buyer names, or refunds. Null when
   * nothing can be asked about it (yet), or the provider's answer contains nothing to report. Throws NoAnswerYet and RefusedByProvider.
   */
  abstract inquire(attempt: StartedAttempt, txnIds?: readonly string[]): Promise<Buffer | null>;

  /**
   * Takes the money of an approved payment, only once however often it is called, and returns the provider's report. Only for providers with a
   * checkout that can be `approved`. Throws NoAnswerYet and RefusedByProvider.
   */
  capture(_attempt: StartedAttempt): Promise<Buffer> {
    throw new RefusedByProvider(`${this.label} takes the money itself`);
  }

  /** Whether `refund` works. */
  readonly canRefund: boolean = false;

  /**
   * Refunds a payment, once for each request, and returns the id of the refund's transaction. The provider's report shows the refund later. Throws
   * NoAnswerYet and RefusedByProvider.
   */
  refund(_request: RefundRequest): Promise<string> {
    throw new RefusedByProvider(`Refund this payment at ${this.label}`);
  }
}

/** Where a provider sends its notifications. */
export function notificationUrl(publicUrl: string, { notificationCall }: PaymentProviderFacts): string {
  return `${publicUrl}${notificationCall.at.slice('POST '.length)}`;
}

/** The settings that every provider may read besides its own. */
export interface SharedSettings {
  SEED: 'demo' | 'none';
  /** The site's address, without a trailing slash. */
  PUBLIC_URL: string;
}

/** What the folder of a provider offers to the rest of the service. */
export interface ProviderRegistration<Settings extends z.ZodRawShape = z.ZodRawShape> {
  settings: Settings;
  /** Rules about several settings. */
  checkSettings?(settings: z.output<z.ZodObject<Settings>> & SharedSettings, context: z.RefinementCtx): void;
  /** Provides and exports `provider`. It may inject the configuration (`ORDERS_CONFIG`). */
  module: Type;
  provider: Type<PaymentProvider>;
  entities: readonly Type[];
}
