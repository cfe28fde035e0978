import type { CheckoutForm, OrderFlag } from '#libs/contracts';
import type { AcceptedEvent } from './provider-state.js';

/** What was agreed when an attempt began. Later changes of address or price do not reach it. */
export interface AttemptTerms {
  orderId: string;
  /** Whom the provider is to pay. */
  receiver: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  /** Which of the provider's worlds: an attempt at the sandbox is none in the live one. */
  environment: string;
  /** The provider's id of the account behind `receiver`, once an event of this attempt has named it. */
  receiverAccount: string | null;
}

export interface StartedAttempt extends AttemptTerms {
  /** Binds what the provider tells to this attempt. The buyer's browser carries it, so it is no secret. */
  token: string;
  /** What the buyer reads at the checkout. */
  itemName: string;
}

/** A rule that a genuine notice broke, for the admin who has to find out why. */
export interface FailedCheck {
  check: string;
  expected: string;
  found: string;
}

/** What an admin may read of a notice: nothing about the buyer. */
export type NoticeFacts = Record<string, string>;

/** An event as the provider tells it. */
export interface ProviderEvent extends AcceptedEvent {
  /** As the provider spells it: one transaction has each status once. */
  status: string;
  currency: string;
  /** The provider's id of the account that received the money; null when the message does not name it. */
  receiverAccount: string | null;
  /** A pending payment waits for the shop: somebody has to accept or deny it at the provider. */
  needsAcceptance: boolean;
}

/** What a genuine notice says to the attempt whose token it carries. */
export type Reading =
  | { kind: 'event'; event: ProviderEvent; facts: NoticeFacts }
  /** It is about the order, but not about money. */
  | { kind: 'remark'; text: string; raise?: OrderFlag[]; facts: NoticeFacts }
  /** It may not count. */
  | { kind: 'held'; failed: FailedCheck[]; facts: NoticeFacts }
  /** Whether it may count depends on the payment `parentTxnId`, of which nothing is recorded yet. `failed` if that stays so. */
  | { kind: 'early'; parentTxnId: string; failed: FailedCheck[]; facts: NoticeFacts };

/** The provider has not said yes or no; it has to be asked again. `reason` holds nothing from a notice. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet';
}

/** Where customers pay. PayPal Standard is the first; what differs between providers stays behind this. */
export abstract class PaymentProvider {
  abstract readonly name: string;
  /** As people know it. */
  abstract readonly label: string;
  abstract readonly environment: string;

  /** The form that takes the buyer to the checkout. */
  abstract startAttempt(attempt: StartedAttempt): CheckoutForm;

  /** The token that these bytes carry, whoever wrote them. */
  abstract tokenIn(notice: Buffer): string | undefined;

  /** Whether the provider wrote these bytes. Throws NoAnswerYet. */
  abstract confirm(notice: Buffer, signal: AbortSignal): Promise<'genuine' | 'forged'>;

  /** What a genuine notice says, after every check against the terms. */
  abstract read(notice: Buffer, terms: AttemptTerms): Reading;

  /** What it says before it is known to be genuine, for evidence. */
  abstract factsIn(notice: Buffer): NoticeFacts;

  /**
   * Asks the provider about a transaction that a returning buyer names. What it tells is genuine and reads as a notice does; null
   * when it knows none, or cannot be asked this way. Throws NoAnswerYet.
   */
  abstract lookUp(transaction: string): Promise<Buffer | null>;
}
