import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { OrderStatus, PaymentStatus, SalesPeriod } from '#libs/contracts';

/** Any number, as long as nothing else in this database locks it. */
const foldLock = 7_205_320;

/** Few enough that a statement ends long before the statement timeout. */
const foldBatchSize = 10_000;

export interface TotalsFilter {
  accountIds?: readonly string[];
  paymentStatus?: PaymentStatus;
  orderStatus?: OrderStatus;
  flagged?: boolean;
  /** The first and the last order date, YYYY-MM-DD. Not together with `accountIds`. */
  from?: string;
  to?: string;
}

export interface StatusTotals {
  paymentStatus: PaymentStatus;
  orderStatus: OrderStatus;
  flagged: boolean;
  orders: number;
  priceCents: number;
  refundedCents: number;
}

export interface SalesTotals {
  orders: number;
  paidOrders: number;
  salesCents: number;
  refundedCents: number;
}

export interface DayRange {
  /** YYYY-MM-DD; null for no limit. */
  from: string | null;
  to: string | null;
}

/** A function, because `sql` inserts what a function returns as SQL; every other value becomes a parameter. */
const columns = () => 'payment_status, order_status, flagged, orders, price_cents, refunded_cents';
const overall = `NULL::uuid AS account_id, NULL::date AS order_date, ${columns()} FROM order_totals`;
const byAccount = `account_id, NULL::date AS order_date, ${columns()} FROM account_order_totals`;
const byDay = `NULL::uuid AS account_id, order_date, ${columns()} FROM order_day_totals`;

/**
 * Totals by day and package: a few thousand rows for a million orders. Changes that `fold` has not moved yet are added in the same statement, so the
 * sums are exact at any moment.
 */
const days = () => `(
  SELECT order_date, package_name, payment_status, orders, price_cents, refunded_cents FROM order_day_totals
  UNION ALL
  SELECT order_date, package_name, payment_status, orders, price_cents, refunded_cents FROM order_total_changes
) AS days`;

/**
 * No entities: triggers write the changes (migrations `orders` and `order-day-totals`), and every query here sums or moves many rows. When `fold`
 * changes the totals, a trigger updates the table `customers`.
 */
@Injectable()
export class OrderTotalsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Moves the rows of `order_total_changes` into the totals, in one replica at a time. Readers see a change in one place or the other, never in both.
   * One call moves ten batches at most: after a mass change, such as an import of orders by SQL, the next calls move the rest.
   */
  async fold(): Promise<void> {
    for (let batches = 0; batches < 10; batches += 1) if ((await this.foldBatch()) < foldBatchSize) return;
  }

  /** Waits until `fold` has moved its current batch, if any. Until the transaction ends, no other batch is moved. */
  async preventFolding(tx: EntityManager): Promise<void> {
    await tx.sql`SELECT pg_advisory_xact_lock(${foldLock})`;
  }

  private async foldBatch(): Promise<number> {
    const sums = () => `sum(orders), sum(price_cents), sum(refunded_cents)`;
    const added = () => `orders = totals.orders + excluded.orders,
      price_cents = totals.price_cents + excluded.price_cents,
      refunded_cents = totals.refunded_cents + excluded.refunded_cents`;
    const [moved] = await this.dataSource.sql<[{ changes: number }]>`
      WITH taken AS (
        DELETE FROM order_total_changes WHERE (SELECT pg_try_advisory_xact_lock(${foldLock}))
          AND ctid = ANY (ARRAY(SELECT ctid FROM order_total_changes LIMIT ${foldBatchSize}))
        RETURNING *
      ), all_orders AS (
        INSERT INTO order_totals AS totals
        SELECT payment_status, order_status, flagged, ${sums} FROM taken GROUP BY 1, 2, 3
        ON CONFLICT (payment_status, order_status, flagged) DO UPDATE SET ${added}
      ), days AS (
        INSERT INTO order_day_totals AS totals
        SELECT order_date, package_name, payment_status, order_status, flagged, ${sums}
        FROM taken GROUP BY 1, 2, 3, 4, 5
        ON CONFLICT (order_date, package_name, payment_status, order_status, flagged) DO UPDATE SET ${added}
      ), accounts AS (
        INSERT INTO account_order_totals AS totals
        SELECT account_id, payment_status, order_status, flagged, ${sums} FROM taken GROUP BY 1, 2, 3, 4
        ON CONFLICT (account_id, payment_status, order_status, flagged) DO UPDATE SET ${added}
      )
      SELECT count(*)::int AS changes FROM taken`;
    return moved.changes;
  }

  /** One statement, so that folded and unfolded rows are read at the same moment. */
  async byStatus(filter: TotalsFilter): Promise<StatusTotals[]> {
    const { accountIds = null, paymentStatus = null, orderStatus = null, flagged = null } = filter;
    const { from = null, to = null } = filter;
    const totals = () => (accountIds ? byAccount : from || to ? byDay : overall);
    return this.dataSource.sql`
      SELECT payment_status AS "paymentStatus", order_status AS "orderStatus", flagged,
        sum(orders)::float8 AS orders, sum(price_cents)::float8 AS "priceCents",
        sum(refunded_cents)::float8 AS "refundedCents"
      FROM (SELECT ${totals} UNION ALL SELECT account_id, order_date, ${columns} FROM order_total_changes) AS totals
      WHERE (${accountIds}::uuid[] IS NULL OR account_id = ANY (${accountIds}::uuid[]))
        AND (${from}::date IS NULL OR order_date >= ${from}::date)
        AND (${to}::date IS NULL OR order_date <= ${to}::date)
        AND (${paymentStatus}::text IS NULL OR payment_status = ${paymentStatus}::text)
        AND (${orderStatus}::text IS NULL OR order_status = ${orderStatus}::text)
        AND (${flagged}::boolean IS NULL OR flagged = ${flagged}::boolean)
      GROUP BY 1, 2, 3`;
  }

  async sales(
    from: string,
    to: string,
    by: SalesPeriod,
  ): Promise<(SalesTotals & { period: string; packageName: string })[]> {
    return this.dataSource.sql`
      SELECT date_trunc(${by}, order_date)::date::text AS period, package_name AS "packageName",
        sum(orders)::float8 AS orders,
        coalesce(sum(orders) FILTER (WHERE payment_status = 'Paid'), 0)::float8 AS "paidOrders",
        coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0)::float8 AS "salesCents",
        sum(refunded_cents)::float8 AS "refundedCents"
      FROM ${days} WHERE order_date BETWEEN ${from} AND ${to}
      GROUP BY 1, 2 HAVING sum(orders) <> 0`;
  }

  async unpaid(ranges: readonly DayRange[]): Promise<{ orders: number; priceCents: number }[]> {
    const firsts = ranges.map(({ from }) => from ?? '-infinity');
    const lasts = ranges.map(({ to }) => to ?? 'infinity');
    return this.dataSource.sql`
      SELECT coalesce(sum(orders), 0)::float8 AS orders, coalesce(sum(price_cents), 0)::float8 AS "priceCents"
      FROM unnest(${firsts}::date[], ${lasts}::date[]) WITH ORDINALITY AS ranges (first, last, place)
      LEFT JOIN ${days} ON payment_status = 'UnPaid' AND order_date BETWEEN first AND last
      GROUP BY place ORDER BY place`;
  }
}
