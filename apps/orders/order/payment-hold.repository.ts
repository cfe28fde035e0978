import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderFlag, PaymentHold } from '#libs/contracts';
import type { OrderEntity } from './order.entity.js';

type HoldFacts = Pick<OrderEntity, 'id' | 'paymentStatus' | 'flags'>;

/** An admin has to review these before the order can be paid. */
const reviewFlags: readonly OrderFlag[] = ['notice_held', 'unverified'];

/**
 * A hold keeps an order from being paid, because a payment for it may have been made already. This class reads tables of `payment/`, but is in
 * `order/`, because services there need it and must not import `payment/`.
 */
@Injectable()
export class PaymentHoldRepository {
  async find(manager: EntityManager, order: HoldFacts): Promise<PaymentHold | null> {
    return (await this.findAll(manager, [order])).get(order.id) ?? null;
  }

  /** Whether a payment attempt has claimed the order's money and has no outcome yet. */
  async isCapturing(manager: EntityManager, orderId: string): Promise<boolean> {
    const rows = await manager.sql<unknown[]>`
      SELECT 1 FROM payment_attempts WHERE order_id = ${orderId} AND capturing AND outcome_at IS NULL`;
    return rows.length > 0;
  }

  /** By order id. One statement, however many orders. */
  async findAll(manager: EntityManager, orders: readonly HoldFacts[]): Promise<Map<string, PaymentHold>> {
    const unpaid = orders.filter(({ paymentStatus }) => paymentStatus !== 'Paid');
    if (unpaid.length === 0) return new Map();
    const ids = unpaid.map(({ id }) => id);
    const rows = await manager.sql<{ order_id: string }[]>`
      SELECT DISTINCT attempt.order_id FROM payment_attempts attempt
      WHERE attempt.order_id = ANY (${ids}::uuid[])
        AND (attempt.returned_at IS NOT NULL AND attempt.outcome_at IS NULL AND attempt.missed_at IS NULL
          OR EXISTS (SELECT 1 FROM payment_notices WHERE attempt_id = attempt.id AND status = 'waiting'))`;
    const holds = new Map<string, PaymentHold>(rows.map(({ order_id: id }) => [id, 'confirming']));
    for (const { id, flags } of unpaid) {
      if (flags.some((flag) => reviewFlags.includes(flag))) holds.set(id, 'under_review');
    }
    return holds;
  }
}
