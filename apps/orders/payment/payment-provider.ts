import type { Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { CheckoutForm, OrderFlag, PaymentProviderFacts } from '#libs/contracts';
import type { AcceptedEvent } from './provider-state.js';

/** What was agreed when an attempt began. Later changes of address or price do not affect it. */
export interface AttemptTerms {
  orderId: string;
  /** The account that receives the money, as the provider names it. */
  receiver: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** The provider's environment: an attempt of the sandbox does not count in the live one. */
  environment: string;
  /** The provider's id of the account behind `receiver`, once an event of this attempt has named it. */
  receiverAccount: string | null;
}

export interface StartedAttempt extends AttemptTerms {
  id: string;
  /** Binds notifications to this attempt. The buyer's browser carries it, so it is no secret. */
  token: string;
  /** The name that the buyer reads at the checkout. */
  itemName: string;
}

/** A rule that a genuine notification broke, for the admin who has to find out why. */
export interface FailedCheck {
  check: string;
  expected: string;
  found: string;
}

/** The fields of a notification that admins may read: nothing about the buyer. */
export type NotificationFacts = Record<string, string>;

/** An event as the provider reports it. */
export interface ProviderEvent extends AcceptedEvent {
  /** As the provider spells it. A transaction has each status once. */
  status: string;
  currency: string;
  /** The provider's id of the account that received the money; null when the notification does not name it. */
  receiverAccount: string | null;
  /** The payment stays pending until the shop accepts or denies it at the provider. */
  needsAcceptance: boolean;
  /** The provider's own word for why, e.g. `echeck`. Customers read it. */
  reason?: string;
}

/** The meaning of a genuine notification for the attempt whose token it carries. */
export type Reading =
  | { kind: 'event'; event: ProviderEvent; facts: NotificationFacts }
  /** About the order, but not about money. */
  | { kind: 'remark'; text: string; raise?: OrderFlag[]; facts: NotificationFacts }
  /** It must not count. */
  | { kind: 'held'; failed: FailedCheck[]; facts: NotificationFacts }
  /**
   * Whether it counts depends on a payment of which no event is stored yet. `payment` are facts that only a notification of that payment has. The
   * checks in `failed` apply if that payment does not come.
   */
  | { kind: 'early'; payment: NotificationFacts; failed: FailedCheck[]; facts: NotificationFacts };

/** The provider has not answered with yes or no and must be asked again. `message` contains nothing from a notification. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet';
}

/** A company that takes payments, and how we talk to it. What differs between providers stays behind this class. */
export abstract class PaymentProvider {
  abstract readonly facts: PaymentProviderFacts;
  abstract readonly environment: string;

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

  /**
   * What takes the buyer to the checkout: a form to post, or an address without fields. Called in the transaction that stores the attempt, and again
   * if that is repeated or the buyer clicks twice: a provider that creates something makes it idempotent by the attempt's id.
   */
  abstract beginCheckout(attempt: StartedAttempt): CheckoutForm | Promise<CheckoutForm>;

  /** The attempt's token in a notification, genuine or not. */
  abstract tokenOf(notification: Buffer): string | undefined;

  /** Whether the provider sent the notification. Throws NoAnswerYet. */
  abstract verify(notification: Buffer, signal: AbortSignal): Promise<'genuine' | 'forged'>;

  /** The meaning of a genuine notification, after every check against the terms. */
  abstract read(notification: Buffer, terms: AttemptTerms, receivedAt: Date): Reading;

  /** The facts of a notification, genuine or not, as evidence. */
  abstract factsOf(notification: Buffer): NotificationFacts;

  /**
   * Asks the provider about a transaction that a returning buyer names. The answer is genuine and is read like a notification; null when the
   * provider knows no such transaction or offers no such call. Throws NoAnswerYet.
   */
  abstract lookUp(transaction: string): Promise<Buffer | null>;
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
