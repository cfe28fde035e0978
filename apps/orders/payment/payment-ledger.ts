import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderFlag } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { OrderChanges } from '../order/order-changes.js';
import type { OrderEntity } from '../order/order.entity.js';
import type { ProviderOutcome } from '../order/order-payment.js';
import { PaymentAttemptEntity } from './attempt/payment-attempt.entity.js';
import { PaymentAttempts } from './attempt/payment-attempts.js';
import { type NoticeFacts, PaymentProvider, type ProviderEvent } from './payment-provider.js';
import { dollarsOf } from '../money/price.js';
import { type AcceptedEvent, type Movement, providerStateOf } from './provider-state.js';

interface Entry {
  /** Locked. */
  order: OrderEntity;
  attempt: PaymentAttemptEntity;
  event: ProviderEvent;
  facts: NoticeFacts;
  noticeId: string;
  traceparent?: string;
}

/** `contradicts`: the transaction is known with other terms, which no provider does. */
export type Ingested = 'recorded' | 'repeated' | 'contradicts';

interface EventRow {
  txn_id: string;
  parent_txn_id: string | null;
  movement: Movement;
  amount_cents: string;
  fee_cents: string | null;
  happened_at: Date;
}

/** The events that count, and what they make of their orders. */
@Injectable()
export class PaymentLedger {
  constructor(
    private readonly orders: OrderChanges,
    private readonly attempts: PaymentAttempts,
    private readonly provider: PaymentProvider,
  ) {}

  /** Records an event that passed every check, and brings the order to what all its events amount to, in the caller's transaction. */
  async ingest(tx: EntityManager, entry: Entry): Promise<Ingested> {
    const { order, attempt, event, facts, traceparent } = entry;
    if (!(await this.record(tx, entry))) return this.isKnown(tx, entry);
    if (event.movement !== 'noted') await this.attempts.noteOutcome(tx, attempt);
    if (attempt.receiverAccount === null && event.receiverAccount !== null)
      await tx.update(PaymentAttemptEntity, attempt.id, { receiverAccount: event.receiverAccount });
    const outcome = providerStateOf(await this.eventsOf(tx, order.id));
    const text = sentenceOf(event, outcome, this.provider.label, facts);
    const line = { kind: 'payment', text, by: this.provider.label, evidence: { ...facts } } as const;
    const raise = await this.reasonsToLook(tx, order, event, outcome);
    await this.orders.apply(tx, order, { provider: outcome, raise }, [line], { traceparent });
    return 'recorded';
  }

  private async reasonsToLook(
    tx: EntityManager,
    { accountId }: OrderEntity,
    { movement, needsAcceptance, txnId }: ProviderEvent,
    { payments }: ProviderOutcome,
  ): Promise<OrderFlag[]> {
    const flags: OrderFlag[] = [];
    // A payment may have been completed meanwhile: messages come in any order.
    const isPending = payments.some((payment) => payment.txnId === txnId && payment.state === 'pending');
    if (needsAcceptance && isPending) flags.push('acceptance_needed');
    if (movement === 'received' && (await this.isDeleted(tx, accountId))) flags.push('account_deleted');
    return flags;
  }

  private async isDeleted(tx: EntityManager, accountId: string): Promise<boolean> {
    const rows: unknown[] = await tx.query('SELECT 1 FROM deleted_accounts WHERE account_id = $1', [
      accountId,
    ]);
    return rows.length > 0;
  }

  /** False when the transaction has this status already: one that is just being recorded is waited for. */
  private async record(tx: EntityManager, { order, attempt, event, noticeId }: Entry): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `INSERT INTO payment_events (id, order_id, attempt_id, notice_id, provider, txn_id, status, parent_txn_id,
         movement, amount_cents, fee_cents, currency, happened_at, recorded_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now())
       ON CONFLICT ON CONSTRAINT payment_events_transaction_unique DO NOTHING RETURNING 1`,
      [
        ...[uuidv7(), order.id, attempt.id, noticeId, this.provider.name, event.txnId, event.status],
        ...[event.parentTxnId, event.movement, event.amountCents, event.feeCents, event.currency],
        event.happenedAt,
      ],
    );
    return rows.length > 0;
  }

  private async isKnown(tx: EntityManager, { order, event }: Entry): Promise<Ingested> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM payment_events
       WHERE provider = $1 AND txn_id = $2 AND status = $3 AND order_id = $4 AND amount_cents = $5
         AND parent_txn_id IS NOT DISTINCT FROM $6`,
      [this.provider.name, event.txnId, event.status, order.id, event.amountCents, event.parentTxnId],
    );
    return rows.length > 0 ? 'repeated' : 'contradicts';
  }

  private async eventsOf(tx: EntityManager, orderId: string): Promise<AcceptedEvent[]> {
    const rows = await tx.query<EventRow[]>(
      `SELECT txn_id, parent_txn_id, movement, amount_cents, fee_cents, happened_at
       FROM payment_events WHERE order_id = $1`,
      [orderId],
    );
    return rows.map((row) => ({
      txnId: row.txn_id,
      parentTxnId: row.parent_txn_id,
      movement: row.movement,
      amountCents: Number(row.amount_cents),
      feeCents: row.fee_cents === null ? null : Number(row.fee_cents),
      happenedAt: row.happened_at,
    }));
  }
}

const sentences: Record<Movement, (amount: string, provider: string) => string> = {
  received: (amount, provider) => `${provider} received ${amount}.`,
  pending: (amount, provider) => `A payment of ${amount} is pending at ${provider}.`,
  failed: (amount) => `The payment of ${amount} failed.`,
  refunded: (amount, provider) => `${amount} went back to the buyer through ${provider}.`,
  reversed: (amount, provider) => `${provider} took ${amount} back: the payment is disputed.`,
  reversal_cancelled: (amount, provider) => `The dispute is over: ${provider} gave ${amount} back.`,
  noted: (amount, provider) => `${provider} is working on a payment of ${amount}.`,
};

/** What the same movements mean for a payment that was never received: no money can have gone back. */
const sentencesWithoutMoney: Partial<typeof sentences> = {
  refunded: (amount, provider) => `${provider} ended the payment of ${amount} before it was received.`,
  reversed: (amount, provider) =>
    `${provider} did not accept the payment of ${amount}. No money was received.`,
  reversal_cancelled: (amount, provider) => `${provider} is looking at the payment of ${amount} again.`,
};

/** Before the message about the payment itself has come: whether it was received is not known. */
const sentencesOfUnknown: Partial<typeof sentences> = {
  reversed: (amount, provider) => `${provider} reversed a payment of ${amount}.`,
};

/** One sentence, for customers too; the reason is one of the provider's own words. */
function sentenceOf(
  { movement, amountCents, currency, parentTxnId }: ProviderEvent,
  { payments }: ProviderOutcome,
  provider: string,
  facts: NoticeFacts,
) {
  const amount = `${dollarsOf(amountCents)} ${currency}`;
  const payment = payments.find(({ txnId }) => txnId === parentTxnId);
  const isMoneyless = payment?.state === 'pending' || payment?.state === 'failed';
  const isUnknown = parentTxnId !== null && payment === undefined;
  const write =
    (isMoneyless && sentencesWithoutMoney[movement]) ||
    (isUnknown && sentencesOfUnknown[movement]) ||
    sentences[movement];
  const sentence = write(amount, provider);
  const reason = facts.pending_reason ?? facts.reason_code;
  return reason === undefined ? sentence : `${sentence.slice(0, -1)} (${reason}).`;
}
