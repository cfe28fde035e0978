import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { demoDomain } from '#libs/contracts';

const demoAddressPattern = `%@${demoDomain}`;

/**
 * The orders of demo customers, and everything that belongs to these orders. Also deletes from the tables of other repositories, which have no
 * methods for this, because orders are deleted nowhere else. An order with a payment attempt that is not simulated is not a demo order.
 */
@Injectable()
export class DemoOrderRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listIds(manager: EntityManager = this.dataSource.manager): Promise<string[]> {
    const rows = await manager.sql<{ id: string }[]>`
      SELECT id FROM orders o WHERE lower(customer_email) LIKE ${demoAddressPattern} AND NOT EXISTS (
        SELECT 1 FROM payment_attempts a WHERE a.order_id = o.id AND a.environment <> 'simulator')`;
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of the deleted documents, whose files the caller must remove. */
  async delete(tx: EntityManager, ids: readonly string[]): Promise<string[]> {
    const [documents] = await tx.sql<[{ id: string }[], number]>`
      DELETE FROM invoices WHERE order_id = ANY (${ids}::uuid[]) RETURNING id`;
    await tx.sql`DELETE FROM invoice_tasks WHERE order_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM payment_refunds WHERE order_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM payment_events WHERE order_id = ANY (${ids}::uuid[])`;
    await tx.sql`
      DELETE FROM payment_notices WHERE attempt_id IN (
        SELECT id FROM payment_attempts WHERE order_id = ANY (${ids}::uuid[]))`;
    await tx.sql`DELETE FROM payment_attempts WHERE order_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM order_timeline WHERE order_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM staff_notes WHERE order_id = ANY (${ids}::uuid[])`;
    // Billing details, and notes about the customer, stay while the customer has another order.
    await tx.sql`
      DELETE FROM billing_details b
      WHERE account_id IN (SELECT account_id FROM orders WHERE id = ANY (${ids}::uuid[]))
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.account_id = b.account_id AND o.id <> ALL (${ids}::uuid[]))`;
    await tx.sql`
      DELETE FROM staff_notes n WHERE order_id IS NULL
        AND account_id IN (SELECT account_id FROM orders WHERE id = ANY (${ids}::uuid[]))
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.account_id = n.account_id AND o.id <> ALL (${ids}::uuid[]))`;
    await tx.sql`
      DELETE FROM subscription_timeline WHERE subscription_id IN (
        SELECT id FROM subscriptions WHERE first_order_id = ANY (${ids}::uuid[]))`;
    await tx.sql`DELETE FROM subscriptions WHERE first_order_id = ANY (${ids}::uuid[])`;
    await tx.sql`DELETE FROM orders WHERE id = ANY (${ids}::uuid[])`;
    return documents.map(({ id }) => id);
  }
}
