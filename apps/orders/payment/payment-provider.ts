import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { CheckoutForm, OrderFlag, PaymentProviderDefinition } from '#libs/contracts';
import { NoAnswerYet } from '../provider-request/provider-request.js';
import type { AcceptedEvent } from './provider-state.js';
import type { SimulatedClock, SubscriptionProvider } from './subscription-provider.js';

/** `payment`: of an order that is paid once. `subscription`: the approval of a monthly plan. `charge`: one charge of such a plan. */
export type AttemptKind = 'payment' | 'subscription' | 'charge';

/** What was agreed when an attempt began. Later changes of the receiver or the price do not affect the attempt. */
export interface AttemptTerms {
  orderId: string;
  /** Identifies the account that receives the money: its e-mail address or the id of its API client, depending on the provider. */
  receiver: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** An attempt of the sandbox is not valid in the live environment. */
  environment: string;
  /** The provider's id of the account behind `receiver`, once the provider has named it. */
  receiverAccount: string | null;
}

export interface StartedAttempt extends AttemptTerms {
  id: string;
  kind: AttemptKind;
  /** Binds notifications to this attempt. Not secret: some providers pass it through the buyer's browser. */
  token: string;
  /** The buyer reads it at the checkout. */
  itemName: string;
  /** What providers call an invoice number: the order's number, with a suffix from the second attempt on. */
  invoice: string;
  /** The provider's id of the checkout, of the subscription, or of the charge; null until it is known, and for providers that create none. */
  checkoutReference: string | null;
}

/** As it came, genuine or not. */
export interface Notification {
  body: Buffer;
  /** Those that the provider's definition lists, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** What a notification or a report contains to identify its attempt. Anyone can send a notification that contains these. */
export interface AttemptReferences {
  token?: string | undefined;
  checkoutReference?: string | undefined;
  /** A transaction of an earlier event. Its attempt takes precedence over that of the token. */
  txnId?: string | undefined;
  /** A refund that the provider does not list with its payment, so an inquiry has to name it. */
  refundTxnId?: string | undefined;
}

export interface StartedCheckout {
  /** A form to post, or an address without fields. */
  form: CheckoutForm;
  /** See `StartedAttempt.checkoutReference`. */
  reference?: string;
  /** See `AttemptTerms.receiverAccount`. */
  receiverAccount?: string;
}

/** A rule that a genuine report broke, for the admin who has to find out why. */
export interface FailedCheck {
  check: string;
  expected: string;
  found: string;
}

/** What admins may read: nothing about the buyer. */
export type NotificationFacts = Record<string, string>;

export interface ProviderEvent extends AcceptedEvent {
  /** As the provider spells it, or one word for several statuses with the same meaning. A transaction's events have different statuses. */
  status: string;
  currency: string;
  /** Null if the provider does not name the account. */
  receiverAccount: string | null;
  /** The payment stays pending until the shop accepts or denies it at the provider. */
  needsAcceptance: boolean;
  /** Customers read it, e.g. `echeck`. */
  reason?: string;
}

/** `approved`: the money can be taken. `charging`: the provider takes it on its own. `closed`: nothing can be paid there any more. */
export type CheckoutState = 'unapproved' | 'approved' | 'charging' | 'closed';

export interface ReportedEvent {
  event: ProviderEvent;
  facts: NotificationFacts;
}

/** One thing that the provider says about an attempt. */
export type Reading =
  /** `endedDisputes` are the ends of the disputes that this refund settles. The order changes in one step. */
  | ({ kind: 'event'; endedDisputes?: ReportedEvent[] } & ReportedEvent)
  /** About the order, but not about money. */
  | { kind: 'remark'; text: string; raise?: OrderFlag[]; facts: NotificationFacts }
  /** A check failed, so the report has no effect on the order's money. */
  | { kind: 'held'; failed: FailedCheck[]; facts: NotificationFacts }
  /** No money was taken at the checkout. The report has no other reading. */
  | { kind: 'checkout'; state: CheckoutState }
  /**
   * Whether the report is valid depends on a payment that has no stored event yet. `payment` has the facts by which that payment's notification is
   * recognized. If it does not come, the report is held because of `failed`.
   */
  | { kind: 'early'; payment: NotificationFacts; failed: FailedCheck[]; facts: NotificationFacts };

/** The provider would refuse the request again. The message is for admins. */
export class RefusedByProvider extends Error {
  override readonly name = 'RefusedByProvider';
}

/** Any other error is our own. */
export function isProvidersFault(error: unknown): error is NoAnswerYet | RefusedByProvider {
  return error instanceof NoAnswerYet || error instanceof RefusedByProvider;
}

/** For `catch`: the provider may refuse a request because an earlier one already had the same effect. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RefusedByProvider)) throw error;
}

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
 * What differs between providers stays behind this class. `beginCheckout`, `inquire`, `capture` and `refund` throw NoAnswerYet and RefusedByProvider.
 *
 * A report is a confirmed notification or the answers of the provider's API, in bytes, which are kept as evidence unless they say only how the
 * checkout stands. Only `read` and `referencesOf` interpret a report.
 */
export abstract class PaymentProvider {
  abstract readonly definition: PaymentProviderDefinition;
  abstract readonly environment: string;

  /** Whether it can take payments of orders that are paid once. The first configured provider in `providerRegistrations` takes the new ones. */
  abstract readonly isConfigured: boolean;

  /** With the present settings, through `subscriptions`. */
  get canChargePlans(): boolean {
    return false;
  }

  readonly subscriptions: SubscriptionProvider | undefined;
  /** Only a simulator has one. */
  readonly simulatedClock: SimulatedClock | undefined;

  /** Whether a notification is only a hint, after which the provider is asked for its report. Otherwise the notification is the report. */
  abstract readonly notifiesByHint: boolean;

  /** Stored with every attempt, notification and event. */
  get name(): string {
    return this.definition.name;
  }

  /** The name that people know. */
  get label(): string {
    return this.definition.label;
  }

  /** Null while no account is set. */
  abstract findReceiver(tx: EntityManager): Promise<string | null>;

  /** The id of the content record on whose screen admins see how payments are received. Null if the provider has none. */
  findReceiverRecordId(): Promise<string | null> {
    return Promise.resolve(null);
  }

  /**
   * Called outside of transactions, and again if the buyer clicks twice. A provider that creates something creates only one for each attempt's id.
   */
  abstract beginCheckout(attempt: StartedAttempt): Promise<StartedCheckout>;

  abstract referencesOf(body: Buffer): AttemptReferences;

  /** Throws NoAnswerYet. */
  abstract verify(notification: Notification, signal: AbortSignal): Promise<'genuine' | 'forged'>;

  /** The meaning of the report, after every check against the terms of the attempt. */
  abstract read(report: Buffer, attempt: StartedAttempt, receivedAt: Date): Reading[];

  /** The notification may be forged. */
  abstract factsOf(notification: Buffer): NotificationFacts;

  /**
   * `txnIds` are known refunds of the attempt, and a transaction that a buyer or a notification names, which may be another attempt's. Null if there
   * is nothing to ask or nothing to report.
   */
  abstract inquire(attempt: StartedAttempt, txnIds?: readonly string[]): Promise<Buffer | null>;

  /** Takes the money only once, however often it is called, and returns the report. Only for providers whose checkouts can be `approved`. */
  capture(_attempt: StartedAttempt): Promise<Buffer> {
    throw new RefusedByProvider(`${this.label} takes the money itself`);
  }

  readonly canRefund: boolean = false;

  /** Refunds once for each request, and returns the id of the refund's transaction. */
  refund(_request: RefundRequest): Promise<string> {
    throw new RefusedByProvider(`Refund this payment at ${this.label}`);
  }
}

export function notificationUrl(publicUrl: string, { notificationCall }: PaymentProviderDefinition): string {
  return `${publicUrl}${notificationCall.at.slice('POST '.length)}`;
}

/** What every provider may read besides its own settings. */
export interface SharedSettings {
  SEED: 'demo' | 'none';
  /** Without a trailing slash. */
  PUBLIC_URL: string;
}

export interface ProviderRegistration<Settings extends z.ZodRawShape = z.ZodRawShape> {
  settings: Settings;
  /** Rules about several settings. */
  checkSettings?(settings: z.output<z.ZodObject<Settings>> & SharedSettings, context: z.RefinementCtx): void;
  /** Provides and exports `provider`, which may inject the configuration (`ORDERS_CONFIG`). */
  module: Type;
  provider: Type<PaymentProvider>;
  entities: readonly Type[];
}
