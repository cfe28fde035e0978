import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PaymentRefundEntity } from './payment-refund.entity.js';

export interface LeasedRefund {
  id: string;
  lease: string;
  /** Including the current one. */
  tries: number;
}

@Injectable()
export class PaymentRefundRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, refund: PaymentRefundEntity): Promise<void> {
    await tx.insert(PaymentRefundEntity, refund);
  }

  get(id: string): Promise<PaymentRefundEntity> {
    return this.dataSource.manager.findOneByOrFail(PaymentRefundEntity, { id });
  }

  count(tx: EntityManager, orderId: string): Promise<number> {
    return tx.countBy(PaymentRefundEntity, { orderId });
  }

  /** Oldest first. Not in pages, because the number of refunds of an order is limited. */
  list(manager: EntityManager, orderId: string): Promise<PaymentRefundEntity[]> {
    return manager.find(PaymentRefundEntity, { where: { orderId }, order: { id: 'ASC' } });
  }

  async lease(count: number, leaseMs: number): Promise<LeasedRefund[]> {
    const [rows] = await this.dataSource.sql<[LeasedRefund[], number]>`
      UPDATE payment_refunds
      SET lease = ${randomUUID()}, leased_until = now() + ${leaseMs} * interval '1 ms', tries = tries + 1
      WHERE id IN (
        SELECT id FROM payment_refunds
        WHERE state = 'requested' AND next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
        ORDER BY next_try_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id, lease, tries`;
    return rows;
  }

  async renew(refunds: readonly LeasedRefund[], leaseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE payment_refunds SET leased_until = now() + ${leaseMs} * interval '1 ms'
      WHERE lease = ANY (${refunds.map(({ lease }) => lease)}::uuid[])`;
  }

  async postpone({ id, lease }: LeasedRefund, pauseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE payment_refunds SET lease = NULL, leased_until = NULL, next_try_at = now() + ${pauseMs} * interval '1 ms'
      WHERE id = ${id} AND lease = ${lease}`;
  }

  async storeRefundTxnId(id: string, refundTxnId: string): Promise<void> {
    await this.dataSource.manager.update(PaymentRefundEntity, id, { refundTxnId });
  }

  /** Returns false if the refund was decided before. */
  async decide(
    tx: EntityManager,
    id: string,
    decision: Pick<PaymentRefundEntity, 'state'> & Partial<PaymentRefundEntity>,
  ): Promise<boolean> {
    const { affected } = await tx.update(PaymentRefundEntity, { id, state: 'requested' }, decision);
    return affected === 1;
  }

  /** Sums, by payment, of refunds that were not refused and that no event shows as made or failed. */
  async sumCentsUnderWay(manager: EntityManager, orderId: string): Promise<Map<string, number>> {
    const rows = await manager.sql<{ txnId: string; cents: number }[]>`
      SELECT txn_id AS "txnId", sum(amount_cents)::float8 AS cents FROM payment_refunds refund
      WHERE order_id = ${orderId} AND state <> 'refused' AND NOT EXISTS (
        SELECT 1 FROM payment_events event
        WHERE event.order_id = refund.order_id AND event.txn_id = refund.refund_txn_id
          AND (event.movement = 'refunded' OR event.status IN ('FAILED', 'CANCELLED')))
      GROUP BY txn_id`;
    return new Map(rows.map(({ txnId, cents }) => [txnId, cents]));
  }

  /** The reasons may name the customer. */
  async eraseReasons(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`
      UPDATE payment_refunds SET reason = ''
      WHERE reason <> '' AND order_id IN (SELECT id FROM orders WHERE account_id = ${accountId})`;
  }

  async anonymizeAdmin(tx: EntityManager, accountId: string, replacement: string): Promise<void> {
    await tx.update(PaymentRefundEntity, { requestedByAccount: accountId }, { requestedBy: replacement });
  }
}
