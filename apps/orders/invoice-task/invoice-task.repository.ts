import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  InvoiceTaskEntity,
  type MoneyMovement,
  type OrderBuyer,
  type TaskCause,
} from './invoice-task.entity.js';

interface NewTask {
  orderId: string;
  cents: number;
  cause: TaskCause;
  moneyMovement: MoneyMovement | null;
  buyer: OrderBuyer;
}

@Injectable()
export class InvoiceTaskRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The caller must have locked the order. Does nothing before invoices are set up. */
  async add(tx: EntityManager, { orderId, cents, cause, moneyMovement, buyer }: NewTask): Promise<void> {
    await tx.sql`
      INSERT INTO invoice_tasks (order_id, cents, cause, payment, buyer)
      SELECT ${orderId}, ${cents}, ${cause}, ${moneyMovement && JSON.stringify(moneyMovement)}::jsonb, ${JSON.stringify(buyer)}::jsonb
      FROM invoice_settings`;
  }

  /** Whether an invoice of the order, not a credit note, has yet to be issued. */
  async hasOpenInvoice(orderId: string): Promise<boolean> {
    const rows = await this.dataSource.sql`
      SELECT 1 FROM invoice_tasks WHERE order_id = ${orderId} AND done_at IS NULL AND cents > 0 LIMIT 1`;
    return rows.length > 0;
  }

  /** Null if no task is due. A task waits for the earlier ones of its order. Skips tasks that are locked. */
  async lockNextDue(tx: EntityManager): Promise<InvoiceTaskEntity | null> {
    const [row] = await tx.sql<{ id: string }[]>`
      SELECT id FROM invoice_tasks task
      WHERE done_at IS NULL AND next_try_at <= now() AND NOT EXISTS (
        SELECT 1 FROM invoice_tasks earlier
        WHERE earlier.order_id = task.order_id AND earlier.id < task.id AND earlier.done_at IS NULL)
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    return row ? tx.findOneByOrFail(InvoiceTaskEntity, { id: Number(row.id) }) : null;
  }

  /** Erases the buyer, because a document issued for the task contains the buyer's details. */
  async finish(tx: EntityManager, { id }: InvoiceTaskEntity): Promise<void> {
    await tx.sql`UPDATE invoice_tasks SET done_at = now(), buyer = NULL WHERE id = ${id}`;
  }

  /** Takes no transaction, because that of the failed task has been rolled back. */
  async postpone({ id }: InvoiceTaskEntity, pauseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE invoice_tasks SET tries = tries + 1, next_try_at = now() + ${pauseMs} * interval '1 ms'
      WHERE id = ${id} AND done_at IS NULL`;
  }
}
