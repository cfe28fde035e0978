import { expect } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { type CallInput, type Invoice, invoiceContract, type InvoiceDocument } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import type { MoneyMovement } from '../invoice-task/invoice-task.entity.js';
import { billedCents } from '../order/order-billing.js';
import { OrderEntity } from '../order/order.entity.js';
import { BillingClock } from '../payment/billing-clock.js';
import { type AcceptedEvent, type Movement, providerOutcomeOf } from '../payment/provider-state.js';
import { totalCents } from '../money/tax.js';
import type { OrdersUnderTest } from './orders.harness.js';

export type Settings = CallInput<typeof invoiceContract.updateInvoiceSettings>;

export const seller: Settings = {
  ...{ name: 'Rank & Rise GmbH', addressLine1: 'Torstraße 1', postalCode: '10119', city: 'Berlin' },
  ...{ countryCode: 'DE', vatId: 'DE123456789', taxMode: 'inclusive', timeZone: 'Europe/Berlin' },
};

export interface StoredDocument {
  id: string;
  series: string;
  year: number;
  sequence: number;
  issuedOn: string;
  document: InvoiceDocument;
}

/** Moves the money of orders, and reads the documents that follow. */
export class Invoices {
  private readonly events = new Map<string, AcceptedEvent[]>();

  constructor(private readonly orders: OrdersUnderTest) {}

  saveSettings(settings: Partial<Settings> = {}) {
    const body = { ...seller, ...settings };
    return this.orders.client.call(invoiceContract.updateInvoiceSettings, body, { actor: actors.admin });
  }

  setTime(moment: string): void {
    for (const { app } of this.orders.replicas)
      app.get(BillingClock, { strict: false }).aheadMs = Date.parse(moment) - Date.now();
  }

  /** The provider reports a movement of an order's money. `also` runs in the same transaction. */
  async moveMoney(
    orderId: string,
    movement: Movement,
    {
      cents: amountCents = 29_000,
      ...options
    }: { cents?: number; also?: (tx: EntityManager) => Promise<unknown> } = {},
  ): Promise<void> {
    const isPayment = movement === 'received';
    const events = this.events.get(orderId) ?? [];
    const event = {
      ...(isPayment
        ? { txnId: 'PAYMENT', parentTxnId: null }
        : { txnId: `${movement} ${events.length}`, parentTxnId: 'PAYMENT' }),
      ...{ movement, amountCents, feeCents: null, happenedAt: new Date() },
    };
    this.events.set(orderId, [...events, event]);
    const moneyMovement: MoneyMovement = {
      ...{ method: 'PayPal', reference: event.txnId, at: event.happenedAt.toISOString() },
    };
    const change = { providerOutcome: providerOutcomeOf(this.events.get(orderId)!), moneyMovement };
    await this.orders.applyChange(orderId, change, options);
  }

  async placePaidOrder(more: Parameters<OrdersUnderTest['place']>[0] = {}): Promise<string> {
    const { _id: id } = await this.orders.place({ customerCountry: 'Germany', ...more });
    await this.moveMoney(id, 'received');
    return id;
  }

  /** The documents of an order, oldest first. Waits until all its tasks are done. */
  async listOfOrder(orderId: string): Promise<StoredDocument[]> {
    await this.waitForTasks(orderId);
    const { rows } = await this.orders.sql.query<StoredDocument>(
      `SELECT id, series, year, sequence, issued_on::text AS "issuedOn", document FROM invoices
       WHERE order_id = $1 ORDER BY issued_at, id`,
      [orderId],
    );
    return rows;
  }

  async first(orderId: string): Promise<StoredDocument> {
    const documents = await this.listOfOrder(orderId);
    expect(documents).not.toEqual([]);
    return documents[0]!;
  }

  /** Oldest first, in the form `invoice 290.00 payment`. */
  async summariesOf(orderId: string): Promise<string[]> {
    return (await this.listOfOrder(orderId)).map(
      ({ document: { kind, grossCents, cause } }) => `${kind} ${(grossCents / 100).toFixed(2)} ${cause}`,
    );
  }

  async waitForTasks(orderId: string): Promise<void> {
    await eventually(async () => {
      const { rows } = await this.orders.sql.query(
        'SELECT 1 FROM invoice_tasks WHERE order_id = $1 AND done_at IS NULL',
        [orderId],
      );
      expect(rows).toEqual([]);
    });
  }

  list(filter: CallInput<typeof invoiceContract.listInvoices> = {}) {
    return this.orders.client.call(invoiceContract.listInvoices, filter, { actor: actors.admin });
  }

  /** The buyer’s name becomes Ada King, and `details` replace other details of the buyer. */
  correct(invoiceId: string, details: object = {}): Promise<{ creditNote: Invoice; invoice: Invoice }> {
    const body = { id: invoiceId, name: 'Ada King', ...details };
    return this.orders.client.call(invoiceContract.correctInvoice, body, { actor: actors.admin });
  }

  /**
   * Expects that the documents of each order that was placed since the seller began to issue invoices add up to the order's `billedCents`. Also calls
   * `expectGapless`.
   */
  async expectDocumentsMatchBilling(): Promise<void> {
    const { app } = this.orders.replicas[0]!;
    const manager = app.get(DataSource, { strict: false }).manager;
    const { rows } = await this.orders.sql.query<{ id: string; cents: number }>(
      `SELECT o.id, coalesce(sum(CASE kind WHEN 'invoice' THEN gross_cents ELSE -gross_cents END), 0)::float8 AS cents
       FROM orders o LEFT JOIN invoices i ON i.order_id = o.id
       WHERE o.created_at > (SELECT issues_from FROM invoice_settings) GROUP BY o.id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, cents } of rows) {
      const order = await manager.findOneByOrFail(OrderEntity, { id });
      expect([id, cents]).toEqual([id, billedCents({ ...order, costCents: totalCents(order) })]);
    }
    await expectGapless(this.orders.sql);
  }
}

/**
 * Expects that in each year, every series has each number from 1 to the last one exactly once. Does not check the series of demo customers, because
 * their documents can be removed.
 */
export async function expectGapless(sql: OrdersUnderTest['sql']): Promise<void> {
  const { rows } = await sql.query<{ last: number; count: number; highest: number; numbers: number }>(
    `SELECT s.last, count(*)::int AS count, max(sequence) AS highest, count(DISTINCT number)::int AS numbers
     FROM invoice_series s LEFT JOIN invoices i USING (series, year)
     WHERE series NOT LIKE 'demo%' GROUP BY s.series, s.year, s.last`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { last, ...found } of rows) expect(found).toEqual({ count: last, highest: last, numbers: last });
}
