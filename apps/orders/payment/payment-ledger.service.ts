import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderFlag, OrderPayment } from '#libs/contracts';
import { dollarsOf } from '../money/price.js';
import { DeletedAccountRepository } from '../order/deleted-account.repository.js';
import { OrderChangeService } from '../order/order-change.service.js';
import type { OrderEntity } from '../order/order.entity.js';
import type { ProviderOutcome } from '../order/order-payment.js';
import type { TimelineInput } from '../timeline/order-timeline.repository.js';
import type { PaymentAttemptEntity } from './attempt/payment-attempt.entity.js';
import { PaymentAttemptRepository } from './attempt/payment-attempt.repository.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import type { ProviderEvent, Reading, ReportedEvent } from './payment-provider.js';
import { PaymentProviders } from './payment-providers.js';
import { type Movement, paymentTxnIdOf, providerOutcomeOf } from './provider-state.js';

interface ReadingToRecord {
  /** The caller has locked it. */
  order: OrderEntity;
  attempt: PaymentAttemptEntity;
  reading: Extract<Reading, { kind: 'event' }>;
  notificationId: string;
  traceparent?: string;
}

/** `contradicts`: the event is stored with another order, amount or parent, which should never happen. */
export type RecordResult = 'recorded' | 'repeated' | 'contradicts';

@Injectable()
export class PaymentLedgerService {
  constructor(
    private readonly events: PaymentEventRepository,
    private readonly attempts: PaymentAttemptRepository,
    private readonly deletedAccounts: DeletedAccountRepository,
    private readonly changes: OrderChangeService,
    private readonly providers: PaymentProviders,
  ) {}

  /** The events that are not stored yet change the order in one step. */
  async record(tx: EntityManager, toRecord: ReadingToRecord): Promise<RecordResult> {
    const { attempt, reading, notificationId } = toRecord;
    const added: ReportedEvent[] = [];
    let contradicts = false;
    for (const reported of [reading, ...(reading.endedDisputes ?? [])]) {
      if (await this.events.insertIfNew(tx, attempt, reported.event, notificationId)) added.push(reported);
      else contradicts ||= !(await this.events.has(tx, attempt, reported.event));
    }
    if (added.length > 0) await this.applyAdded(tx, toRecord, added);
    if (contradicts) return 'contradicts';
    return added.length > 0 ? 'recorded' : 'repeated';
  }

  private async applyAdded(
    tx: EntityManager,
    { order, attempt, reading, traceparent }: ReadingToRecord,
    added: readonly ReportedEvent[],
  ): Promise<void> {
    const events = await this.events.list(tx, order.id);
    const providerOutcome = providerOutcomeOf(events);
    const { label } = this.providers.get(attempt.provider);
    const entries: TimelineInput[] = [];
    const raise: OrderFlag[] = [];
    for (const reported of added) {
      const { event, facts } = reported;
      if (event.movement !== 'noted') await this.attempts.recordOutcome(tx, attempt);
      if (event.movement === 'failed') await this.attempts.releaseCapture(tx, attempt);
      await this.attempts.storeReceiverAccount(tx, attempt, event.receiverAccount);
      const paymentTxnId = paymentTxnIdOf(event, events);
      const payment = providerOutcome.payments.find(({ txnId }) => txnId === paymentTxnId);
      const text = reading.endedDisputes?.includes(reported)
        ? 'The dispute is over: the customer was refunded.'
        : sentenceOf(event, payment, label);
      entries.push({ kind: 'payment', text, by: label, evidence: { ...facts } });
      raise.push(...(await this.flagsToRaise(tx, order, event, providerOutcome)));
    }
    const { txnId: reference, happenedAt } = added[0]!.event;
    const moneyMovement = { method: label, reference, at: happenedAt.toISOString() };
    const change = { providerOutcome, moneyMovement, raise };
    await this.changes.apply(tx, order, change, entries, { traceparent });
  }

  private async flagsToRaise(
    tx: EntityManager,
    { accountId }: OrderEntity,
    { movement, needsAcceptance, txnId }: ProviderEvent,
    { payments }: ProviderOutcome,
  ): Promise<OrderFlag[]> {
    const flags: OrderFlag[] = [];
    // Notifications come in any order, so the payment may be complete by now.
    const isPending = payments.some((payment) => payment.txnId === txnId && payment.state === 'pending');
    if (needsAcceptance && isPending) flags.push('acceptance_needed');
    if (movement === 'received' && (await this.deletedAccounts.has(tx, accountId)))
      flags.push('account_deleted');
    return flags;
  }
}

const sentences: Record<Movement, (amount: string, provider: string) => string> = {
  received: (amount, provider) => `${provider} received ${amount}.`,
  pending: (amount, provider) => `A payment of ${amount} is pending at ${provider}.`,
  failed: (amount) => `The payment of ${amount} failed.`,
  refunded: (amount, provider) => `${amount} was refunded to the customer through ${provider}.`,
  reversed: (amount, provider) => `${provider} took ${amount} back: the payment is disputed.`,
  reversal_cancelled: (amount, provider) => `The dispute is over: ${provider} gave ${amount} back.`,
  noted: (amount, provider) => `${provider} is working on a payment of ${amount}.`,
};

/** For a payment that has not been received: no money can have gone back. */
const sentencesWithoutMoney: Partial<typeof sentences> = {
  refunded: (amount, provider) => `${provider} ended the payment of ${amount} before it was received.`,
  reversed: (amount, provider) =>
    `${provider} did not accept the payment of ${amount}. No money was received.`,
  reversal_cancelled: (amount, provider) => `${provider} is looking at the payment of ${amount} again.`,
};

/** While nothing is known about the payment itself, its money may or may not have been received. These sentences fit both. */
const sentencesBeforePayment: Partial<typeof sentences> = {
  refunded: (amount, provider) => `${provider} reported a refund of ${amount}.`,
  reversed: (amount, provider) => `${provider} reversed a payment of ${amount}.`,
  reversal_cancelled: (amount, provider) => `${provider} cancelled the reversal of a payment of ${amount}.`,
};

/** One sentence. Customers read it too. */
function sentenceOf(
  { movement, status, amountCents, currency, parentTxnId, reason }: ProviderEvent,
  payment: OrderPayment | undefined,
  provider: string,
): string {
  const amount = `${dollarsOf(amountCents)} ${currency}`;
  const isMoneyless = payment?.state === 'pending' || payment?.state === 'failed';
  const isPaymentUnknown = parentTxnId !== null && payment === undefined;
  if (movement === 'noted' && parentTxnId !== null)
    return `${provider} reports a refund of ${amount} as ${status.toLowerCase()}.`;
  const write =
    (isMoneyless && sentencesWithoutMoney[movement]) ||
    (isPaymentUnknown && sentencesBeforePayment[movement]) ||
    sentences[movement];
  const sentence = write(amount, provider);
  return reason === undefined ? sentence : `${sentence.slice(0, -1)} (${reason}).`;
}
