import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  DomainError,
  type HandlerInput,
  type orderContract,
  type OrdersSales,
  salesPackagesAtMost,
  salesPeriodsAtMost,
  type UnpaidAge,
} from '#libs/contracts';
import { dollarsOf } from '../money/price.js';
import { daysBefore, periodsOf } from './period.js';

/** Ages in days, the last one included. */
const ages = [
  { fromDays: 0, toDays: 1 },
  { fromDays: 2, toDays: 7 },
  { fromDays: 8, toDays: 30 },
  { fromDays: 31, toDays: null },
] as const;

interface Sum {
  orders: number;
  paid: number;
  sales_cents: number;
  refunded_cents: number;
}

const nothing: Sum = { orders: 0, paid: 0, sales_cents: 0, refunded_cents: 0 };

/**
 * Totals by day and package, of which there are a few thousand for a million orders. What is not folded yet is added in the same
 * statement, as `OrderTotals` does, so these are exact at any moment too.
 */
const days = `(
  SELECT order_date, package_name, payment_status, orders, price_cents, refunded_cents FROM order_day_totals
  UNION ALL
  SELECT order_date, package_name, payment_status, orders, price_cents, refunded_cents FROM order_total_changes
) AS days`;

/** What was sold when, and what waits to be paid for how long. */
@Injectable()
export class OrderSales {
  constructor(private readonly dataSource: DataSource) {}

  /** INVALID_INPUT. */
  async over({ from, to, by }: HandlerInput<typeof orderContract.sales>): Promise<OrdersSales> {
    if (to < from) throw DomainError.invalid([{ field: 'to', message: 'must not be before the first day' }]);
    const starts = periodsOf(from, to, by, salesPeriodsAtMost);
    if (!starts) {
      const message = `has more than ${salesPeriodsAtMost} periods in this range`;
      throw DomainError.invalid([{ field: 'by', message }]);
    }
    const rows = await this.dataSource.query<(Sum & { period: string; package_name: string })[]>(
      `SELECT date_trunc($3, order_date)::date::text AS period, package_name, sum(orders)::float8 AS orders,
         coalesce(sum(orders) FILTER (WHERE payment_status = 'Paid'), 0)::float8 AS paid,
         coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0)::float8 AS sales_cents,
         sum(refunded_cents)::float8 AS refunded_cents
       FROM ${days} WHERE order_date BETWEEN $1 AND $2
       GROUP BY 1, 2 HAVING sum(orders) <> 0`,
      [from, to, by],
    );
    const byPeriod = summed(rows, ({ period }) => period);
    return {
      from,
      to,
      by,
      ...view(rows.reduce(plus, nothing)),
      periods: starts.map((start) => ({ from: start, ...view(byPeriod.get(start) ?? nothing) })),
      packages: packagesOf(rows),
    };
  }

  /** The youngest have no last day: where a customer lives it may be tomorrow. */
  async unpaidAges(today: Date): Promise<UnpaidAge[]> {
    const ranges = ages.map(({ fromDays, toDays }) => ({
      fromDays,
      toDays,
      from: toDays === null ? null : daysBefore(today, toDays),
      to: fromDays === 0 ? null : daysBefore(today, fromDays),
    }));
    const rows = await this.dataSource.query<{ place: number; orders: number; cents: number }[]>(
      `SELECT place::int AS place, coalesce(sum(orders), 0)::float8 AS orders, coalesce(sum(price_cents), 0)::float8 AS cents
       FROM unnest($1::date[], $2::date[]) WITH ORDINALITY AS ranges (first, last, place)
       LEFT JOIN ${days} ON payment_status = 'UnPaid' AND order_date BETWEEN first AND last
       GROUP BY place ORDER BY place`,
      [ranges.map(({ from }) => from ?? '-infinity'), ranges.map(({ to }) => to ?? 'infinity')],
    );
    return ranges.map((range, index) => {
      const { orders, cents } = rows[index]!;
      return { ...range, orders, amount: dollarsOf(cents) };
    });
  }
}

function plus(a: Sum, b: Sum): Sum {
  return {
    orders: a.orders + b.orders,
    paid: a.paid + b.paid,
    sales_cents: a.sales_cents + b.sales_cents,
    refunded_cents: a.refunded_cents + b.refunded_cents,
  };
}

function summed<R extends Sum>(rows: readonly R[], keyOf: (row: R) => string): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const row of rows) sums.set(keyOf(row), plus(sums.get(keyOf(row)) ?? nothing, row));
  return sums;
}

function packagesOf(rows: readonly (Sum & { package_name: string })[]): OrdersSales['packages'] {
  const ranked = [...summed(rows, ({ package_name }) => package_name)].sort(
    ([a, first], [b, second]) =>
      second.sales_cents - first.sales_cents || second.orders - first.orders || (a < b ? -1 : 1),
  );
  const named = ranked
    .slice(0, salesPackagesAtMost)
    .map(([packageName, sum]) => ({ packageName, ...view(sum) }));
  const others = ranked.slice(salesPackagesAtMost).map(([, sum]) => sum);
  return others.length === 0
    ? named
    : [...named, { packageName: null, ...view(others.reduce(plus, nothing)) }];
}

function view({ orders, paid, sales_cents, refunded_cents }: Sum) {
  return { orders, paid, sales: dollarsOf(sales_cents), refunded: dollarsOf(refunded_cents) };
}
