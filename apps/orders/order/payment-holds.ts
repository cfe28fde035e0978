import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OrderFlag, PaymentHold } from '#libs/contracts';
import type { OrderEntity } from './order.entity.js';

type Held = Pick<OrderEntity, 'id' | 'paymentStatus' | 'flags'>;

/** A payment message was held, or the provider has not verified it for hours or denies having sent it. */
const reviewFlags: readonly OrderFlag[] = ['notice_held', 'unverified'];

/** Finds the orders that must not be paid again, because money for them may be on its way. */
@Injectable()
export class PaymentHolds {
  async of(manager: EntityManager, order: Held): Promise<PaymentHold | null> {
    return (await this.ofAll(manager, [order])).get(order.id) ?? null;
  }

  /** By order id; orders without a hold are left out. One statement, whatever the number of orders. */
  async ofAll(manager: EntityManager, orders: readonly Held[]): Promise<Map<string, PaymentHold>> {
    const open = orders.filter(({ paymentStatus }) => paymentStatus !== 'Paid');
    if (open.length === 0) return new Map();
    const rows = await manager.query<{ order_id: string }[]>(
      `SELECT DISTINCT attempt.order_id FROM payment_attempts attempt
       WHERE attempt.order_id = ANY ($1)
         AND (attempt.returned_at IS NOT NULL AND attempt.outcome_at IS NULL AND attempt.missed_at IS NULL
           OR EXISTS (SELECT 1 FROM payment_notices WHERE attempt_id = attempt.id AND status = 'waiting'))`,
      [open.map(({ id }) => id)],
    );
    const holds = new Map<string, PaymentHold>(rows.map(({ order_id: id }) => [id, 'confirming']));
    for (const { id, flags } of open) {
      if (flags.some((flag) => reviewFlags.includes(flag))) holds.set(id, 'under_review');
    }
    return holds;
  }
}
