import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type HandlerInputs,
  maxSalesPackages,
  maxSalesPeriods,
  orderContract,
  type OrdersSales,
  type UnpaidAgeRange,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { Handles } from '#libs/transport';
import { dollarsOf } from '../money/price.js';
import { OrderTotalsRepository, type SalesTotals } from './order-totals.repository.js';
import { daysBefore, periodStarts } from './period.js';

/** In days, inclusive. */
const ageRanges = [
  { fromDays: 0, toDays: 1 },
  { fromDays: 2, toDays: 7 },
  { fromDays: 8, toDays: 30 },
  { fromDays: 31, toDays: null },
] as const;

const nothing: SalesTotals = { orders: 0, paidOrders: 0, salesCents: 0, refundedCents: 0 };

type Input = HandlerInputs<typeof orderContract>;

@Injectable()
export class OrderSalesService {
  constructor(
    private readonly totals: OrderTotalsRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(orderContract.getSales)
  async getSales({ from, to, by }: Input['getSales']): Promise<OrdersSales> {
    if (to < from) throw DomainError.invalid([{ field: 'to', message: 'must not be before the first day' }]);
    const starts = periodStarts(from, to, by, maxSalesPeriods);
    if (!starts) {
      const message = `has more than ${maxSalesPeriods} periods in this range`;
      throw DomainError.invalid([{ field: 'by', message }]);
    }
    const rows = await this.totals.sales(from, to, by);
    const byPeriod = sumBy(rows, ({ period }) => period);
    return {
      from,
      to,
      by,
      ...view(rows.reduce(plus, nothing)),
      periods: starts.map((start) => ({ from: start, ...view(byPeriod.get(start) ?? nothing) })),
      packages: packagesOf(rows),
    };
  }

  /** The youngest range has no last day: in the customer's time zone it may already be tomorrow. */
  @Handles(orderContract.listUnpaidAges)
  async unpaidAges(): Promise<UnpaidAgeRange[]> {
    const today = this.clock.now();
    const ranges = ageRanges.map(({ fromDays, toDays }) => ({
      fromDays,
      toDays,
      from: toDays === null ? null : daysBefore(today, toDays),
      to: fromDays === 0 ? null : daysBefore(today, fromDays),
    }));
    const totals = await this.totals.unpaid(ranges);
    return ranges.map((range, index) => {
      const { orders, priceCents } = totals[index]!;
      return { ...range, orders, amount: dollarsOf(priceCents) };
    });
  }
}

function plus(a: SalesTotals, b: SalesTotals): SalesTotals {
  return {
    orders: a.orders + b.orders,
    paidOrders: a.paidOrders + b.paidOrders,
    salesCents: a.salesCents + b.salesCents,
    refundedCents: a.refundedCents + b.refundedCents,
  };
}

function sumBy<R extends SalesTotals>(
  rows: readonly R[],
  keyOf: (row: R) => string,
): Map<string, SalesTotals> {
  const sums = new Map<string, SalesTotals>();
  for (const row of rows) sums.set(keyOf(row), plus(sums.get(keyOf(row)) ?? nothing, row));
  return sums;
}

function packagesOf(rows: readonly (SalesTotals & { packageName: string })[]): OrdersSales['packages'] {
  const ranked = [...sumBy(rows, ({ packageName }) => packageName)].sort(
    ([a, first], [b, second]) =>
      second.salesCents - first.salesCents || second.orders - first.orders || (a < b ? -1 : 1),
  );
  const named = ranked
    .slice(0, maxSalesPackages)
    .map(([packageName, sum]) => ({ packageName, ...view(sum) }));
  const others = ranked.slice(maxSalesPackages).map(([, sum]) => sum);
  return others.length === 0
    ? named
    : [...named, { packageName: null, ...view(others.reduce(plus, nothing)) }];
}

function view({ orders, paidOrders, salesCents, refundedCents }: SalesTotals) {
  return { orders, paid: paidOrders, sales: dollarsOf(salesCents), refunded: dollarsOf(refundedCents) };
}
