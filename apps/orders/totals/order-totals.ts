import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { OrdersSummary, OrderStatus, PaymentStatus } from '#libs/contracts';
import { isConnectionError } from '#libs/database';
import { LOGGER } from '#libs/platform';
import { dollarsOf } from '../money/price.js';

const foldEveryMs = 1000;

/** Any number, as long as nothing else in this database locks it. */
const foldLock = 7_205_320;

/** Which orders are counted; what is left out does not narrow. */
export interface TotalsFilter {
  accountId?: string;
  paymentStatus?: PaymentStatus;
  orderStatus?: OrderStatus;
  flagged?: boolean;
  /** First and last day of the order, YYYY-MM-DD; not together with `accountId`. */
  from?: string;
  to?: string;
}

interface Kind {
  payment_status: PaymentStatus;
  order_status: OrderStatus;
  flagged: boolean;
  orders: number;
  price_cents: number;
  refunded_cents: number;
}

/**
 * How many orders of each kind there are, and what they are worth: exact at any moment, and as quick for a million as for ten. A trigger keeps
 * them with each change of an order (migration `orders`), as a row of what changed, so that no order waits for another; here those rows are folded into the
 * totals, and whoever reads adds what is not folded yet.
 */
@Injectable()
export class OrderTotals implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer?: NodeJS.Timeout;
  private folding: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.folding = this.folding.then(() => this.foldQuietly());
    }, foldEveryMs);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.folding;
  }

  /** How many orders pass the filter. */
  async count(filter: TotalsFilter): Promise<number> {
    return sum(await this.kinds(filter), 'orders');
  }

  /** Of all orders, or of one account's. */
  async summary(accountId?: string): Promise<OrdersSummary> {
    const kinds = await this.kinds(accountId === undefined ? {} : { accountId });
    const ordersWith = (property: 'payment_status' | 'order_status', value: string) =>
      sum(
        kinds.filter((kind) => kind[property] === value),
        'orders',
      );
    return {
      orders: sum(kinds, 'orders'),
      totalSales: dollarsOf(
        sum(
          kinds.filter((kind) => kind.payment_status === 'Paid'),
          'price_cents',
        ),
      ),
      refunded: dollarsOf(sum(kinds, 'refunded_cents')),
      byPaymentStatus: {
        UnPaid: ordersWith('payment_status', 'UnPaid'),
        Paid: ordersWith('payment_status', 'Paid'),
        Cancelled: ordersWith('payment_status', 'Cancelled'),
      },
      byOrderStatus: {
        Pending: ordersWith('order_status', 'Pending'),
        Delivered: ordersWith('order_status', 'Delivered'),
      },
      flagged: sum(
        kinds.filter(({ flagged }) => flagged),
        'orders',
      ),
    };
  }

  /** Moves what has changed since the last time into the totals. Replicas take turns; readers see one or the other, never both. */
  async fold(): Promise<void> {
    const added = `orders = totals.orders + excluded.orders, price_cents = totals.price_cents + excluded.price_cents,
      refunded_cents = totals.refunded_cents + excluded.refunded_cents`;
    const sums = `sum(orders), sum(price_cents), sum(refunded_cents)`;
    await this.dataSource.query(
      `WITH taken AS (
         DELETE FROM order_total_changes WHERE (SELECT pg_try_advisory_xact_lock($1)) RETURNING *
       ), of_everybody AS (
         INSERT INTO order_totals AS totals
         SELECT payment_status, order_status, flagged, ${sums} FROM taken GROUP BY 1, 2, 3
         ON CONFLICT (payment_status, order_status, flagged) DO UPDATE SET ${added}
       ), of_days AS (
         INSERT INTO order_day_totals AS totals
         SELECT order_date, package_name, payment_status, order_status, flagged, ${sums} FROM taken GROUP BY 1, 2, 3, 4, 5
         ON CONFLICT (order_date, package_name, payment_status, order_status, flagged) DO UPDATE SET ${added}
       )
       INSERT INTO account_order_totals AS totals
       SELECT account_id, payment_status, order_status, flagged, ${sums} FROM taken GROUP BY 1, 2, 3, 4
       ON CONFLICT (account_id, payment_status, order_status, flagged) DO UPDATE SET ${added}`,
      [foldLock],
    );
  }

  /** One statement, so folded and unfolded rows are seen at the same moment. */
  private async kinds(filter: TotalsFilter): Promise<Kind[]> {
    const { accountId, paymentStatus, orderStatus, flagged, from, to } = filter;
    const parameters: unknown[] = [paymentStatus ?? null, orderStatus ?? null, flagged ?? null];
    const conditions = [
      `($1::text IS NULL OR payment_status = $1)`,
      `($2::text IS NULL OR order_status = $2)`,
      `($3::boolean IS NULL OR flagged = $3)`,
    ];
    let table = 'order_totals';
    if (accountId !== undefined) {
      table = 'account_order_totals';
      conditions.push(`account_id = $${parameters.push(accountId)}`);
    } else if (from !== undefined || to !== undefined) {
      table = 'order_day_totals';
      const [first, last] = [parameters.push(from ?? '-infinity'), parameters.push(to ?? 'infinity')];
      conditions.push(`order_date BETWEEN $${first}::date AND $${last}::date`);
    }
    const columns = 'payment_status, order_status, flagged, orders, price_cents, refunded_cents';
    const where = conditions.join(' AND ');
    return this.dataSource.query<Kind[]>(
      `SELECT payment_status, order_status, flagged, sum(orders)::float8 AS orders,
         sum(price_cents)::float8 AS price_cents, sum(refunded_cents)::float8 AS refunded_cents
       FROM (SELECT ${columns} FROM ${table} WHERE ${where}
             UNION ALL
             SELECT ${columns} FROM order_total_changes WHERE ${where}) AS kinds
       GROUP BY 1, 2, 3`,
      parameters,
    );
  }

  private async foldQuietly(): Promise<void> {
    try {
      await this.fold();
    } catch (error) {
      // Postgres gone is the readiness check's to tell; totals stay exact unfolded.
      if (!isConnectionError(error)) this.logger.error({ err: error }, 'Folding the totals of orders failed');
    }
  }
}

function sum(kinds: Kind[], property: 'orders' | 'price_cents' | 'refunded_cents'): number {
  return kinds.reduce((total, kind) => total + kind[property], 0);
}
