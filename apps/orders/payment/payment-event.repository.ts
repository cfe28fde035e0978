import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '#libs/database';
import type { PaymentAttemptEntity } from './attempt/payment-attempt.entity.js';
import type { ProviderEvent } from './payment-provider.js';
import type { AcceptedEvent } from './provider-state.js';

/** No entity: events are inserted under a unique constraint, and only a few columns are read back. */
@Injectable()
export class PaymentEventRepository {
  /** False if an event with the same provider, `txnId` and status is stored. Waits if another process is storing the same event. */
  async insertIfNew(
    tx: EntityManager,
    { id: attemptId, orderId, provider }: PaymentAttemptEntity,
    event: ProviderEvent,
    notificationId: string,
  ): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      INSERT INTO payment_events (id, order_id, attempt_id, notice_id, provider, txn_id, status, parent_txn_id,
        movement, amount_cents, fee_cents, currency, happened_at, recorded_at)
      VALUES (${uuidv7()}, ${orderId}, ${attemptId}, ${notificationId}, ${provider}, ${event.txnId},
        ${event.status}, ${event.parentTxnId}, ${event.movement}, ${event.amountCents}, ${event.feeCents},
        ${event.currency}, ${event.happenedAt}, now())
      ON CONFLICT ON CONSTRAINT payment_events_transaction_unique DO NOTHING RETURNING 1`;
    return rows.length > 0;
  }

  /** Whether this event is stored with the same order, amount and parent. */
  async has(
    tx: EntityManager,
    { orderId, provider }: PaymentAttemptEntity,
    { txnId, status, amountCents, parentTxnId }: ProviderEvent,
  ): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM payment_events
      WHERE provider = ${provider} AND txn_id = ${txnId} AND status = ${status} AND order_id = ${orderId}
        AND amount_cents = ${amountCents} AND parent_txn_id IS NOT DISTINCT FROM ${parentTxnId}`;
    return rows.length > 0;
  }

  list(tx: EntityManager, orderId: string): Promise<AcceptedEvent[]> {
    return tx.sql`
      SELECT txn_id AS "txnId", parent_txn_id AS "parentTxnId", movement, amount_cents::float8 AS "amountCents",
        fee_cents::float8 AS "feeCents", happened_at AS "happenedAt"
      FROM payment_events WHERE order_id = ${orderId}`;
  }
}
