import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TimelineEntry } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import type { RecordRelation } from '../access/person.js';
import { Clock } from '#libs/runtime';
import { OrderTimelineEntryEntity } from './order-timeline-entry.entity.js';

export interface TimelineInput {
  kind: TimelineEntry['kind'];
  /** Customers read it too. */
  text: string;
  /** An e-mail address, the label of a payment provider, or null for the system. */
  by: string | null;
  byAccount?: string;
  evidence?: Record<string, unknown>;
}

const maxEntries = 200;

@Injectable()
export class OrderTimelineRepository {
  constructor(private readonly clock: Clock) {}

  async append(tx: EntityManager, orderId: string, entries: readonly TimelineInput[]): Promise<void> {
    if (entries.length === 0) return;
    const at = this.clock.now();
    const rows = entries.map(({ evidence = {}, ...entry }) => ({
      id: uuidv7(),
      orderId,
      at,
      evidence,
      ...entry,
    }));
    await tx.insert(OrderTimelineEntryEntity, rows as object[]);
  }

  async has(
    tx: EntityManager,
    orderId: string,
    kind: TimelineInput['kind'],
    evidence: Record<string, string>,
  ): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM order_timeline
      WHERE order_id = ${orderId} AND kind = ${kind} AND evidence @> ${JSON.stringify(evidence)}::jsonb LIMIT 1`;
    return rows.length > 0;
  }

  /** The newest 200 entries, oldest first. Only admins get `by` and the evidence. */
  async list(manager: EntityManager, orderId: string, relation: RecordRelation): Promise<TimelineEntry[]> {
    const newestFirst = await manager.find(OrderTimelineEntryEntity, {
      where: { orderId },
      order: { id: 'DESC' },
      take: maxEntries,
    });
    return newestFirst.reverse().map(({ id, at, kind, text, by, evidence }) => ({
      _id: id,
      at: at.toISOString(),
      kind,
      text,
      ...(relation === 'admin' ? { by, evidence } : { by: null, evidence: {} }),
    }));
  }

  /**
   * Replaces `by` in the timelines of the customer's own orders if it is an address from one of these orders, or if the customer did what the entry
   * says. Entries about payments that a colleague started keep the colleague's address. Removes the reasons that admins wrote, which may name the
   * customer.
   */
  async anonymizeCustomer(tx: EntityManager, accountId: string, replacement: string): Promise<void> {
    // `OrderService.cancel` writes 'The payment was cancelled by the customer.'
    await tx.sql`
      UPDATE order_timeline t SET by = ${replacement}
      FROM orders o
      WHERE o.account_id = ${accountId} AND t.order_id = o.id AND t.by IS NOT NULL AND t.by <> ${replacement}
        AND (t.by IN (SELECT customer_email FROM orders WHERE account_id = ${accountId})
          OR t.kind = 'placed'
          OR (t.kind = 'attempt_started' AND coalesce(t.by_account = ${accountId}, true))
          OR (t.kind = 'cancelled' AND t.text = 'The payment was cancelled by the customer.'))`;
    await tx.sql`
      UPDATE order_timeline t SET evidence = evidence - 'reason'
      FROM orders o
      WHERE o.account_id = ${accountId} AND t.order_id = o.id AND t.kind = 'payment_status_set' AND t.evidence ? 'reason'`;
    // The text about a refund request ends with ': ' and the reason (`PaymentRefundService`).
    await tx.sql`
      UPDATE order_timeline t SET text = split_part(t.text, ': ', 1) || '.'
      FROM orders o
      WHERE o.account_id = ${accountId} AND t.order_id = o.id AND t.kind = 'refund' AND t.text LIKE '%: %'`;
  }

  /**
   * Replaces `by` in all timelines. Call `anonymizeCustomer` first: entries whose `by` is already a replacement stay as they are. Entries without an
   * account are found by the address. Entries about placing an order are left out: their address is that of the order's customer, even if the deleted
   * account had the same address later. Two statements, so that each uses its index.
   */
  async anonymizeAdminOrPayer(
    tx: EntityManager,
    { accountId, email }: { accountId: string; email: string | null },
    { admin, payer }: { admin: string; payer: string },
  ): Promise<void> {
    const replacements = [admin, payer];
    await tx.sql`
      UPDATE order_timeline SET by = CASE kind WHEN 'attempt_started' THEN ${payer} ELSE ${admin} END
      WHERE by_account = ${accountId} AND by <> ALL (${replacements}::text[])`;
    await tx.sql`
      UPDATE order_timeline SET by = ${admin}
      WHERE by_account IS NULL AND kind <> 'placed' AND by = ${email} AND by <> ALL (${replacements}::text[])`;
  }
}
