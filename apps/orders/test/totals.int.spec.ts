import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Actor,
  type CallInput,
  orderContract,
  type OrdersSummary,
  planSubscriptionContract,
} from '#libs/contracts';
import { actors, eventually, fullTest } from '#libs/testing';
import type { ProviderState } from '../order/order-payment.js';
import type { OrderChange } from '../order/order-transition.js';
import { OrderTotalsRepository } from '../totals/order-totals.repository.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin, customer } = actors;
const people = [customer, otherCustomer];

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent({ Basic: '290.00', Cheap: '0.01' });
});
afterAll(() => orders?.stop());

const summary = (actor: Actor) => orders.client.call(orderContract.getOrdersSummary, {}, { actor });

async function summaryFromOrders(condition: string): Promise<OrdersSummary> {
  const { rows } = await orders.sql.query<{ summary: OrdersSummary }>(`
    SELECT json_build_object(
      'orders', count(*),
      'totalSales', (coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0) / 100.0)::numeric(20, 2)::text,
      'refunded', (coalesce(sum(refunded_cents), 0) / 100.0)::numeric(20, 2)::text,
      'byPaymentStatus', json_build_object('UnPaid', count(*) FILTER (WHERE payment_status = 'UnPaid'),
        'Paid', count(*) FILTER (WHERE payment_status = 'Paid'),
        'Cancelled', count(*) FILTER (WHERE payment_status = 'Cancelled')),
      'byOrderStatus', json_build_object('Pending', count(*) FILTER (WHERE order_status = 'Pending'),
        'Delivered', count(*) FILTER (WHERE order_status = 'Delivered')),
      'flagged', count(*) FILTER (WHERE flags <> '{}')) AS summary
    FROM orders WHERE ${condition}`);
  return rows[0]!.summary;
}

const allYears = { from: '2020-01-01', to: '2035-12-31', by: 'month' } as const;
const sales = (range: CallInput<typeof orderContract.getSales>) =>
  orders.client.call(orderContract.getSales, range, { actor: admin });

const salesColumns = `count(*)::int AS orders, (count(*) FILTER (WHERE payment_status = 'Paid'))::int AS paid,
  (coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0) / 100.0)::numeric(20, 2)::text AS sales,
  (coalesce(sum(refunded_cents), 0) / 100.0)::numeric(20, 2)::text AS refunded`;

/** Compares sales by month and package with sums over the orders. */
async function expectExactSales(): Promise<void> {
  const { periods, packages, ...all } = await sales(allYears);
  const [months, names, everything] = await Promise.all([
    orders.sql.query(
      `SELECT date_trunc('month', order_date)::date::text AS "from", ${salesColumns} FROM orders GROUP BY 1 ORDER BY 1`,
    ),
    orders.sql.query(
      `SELECT package_name AS "packageName", ${salesColumns} FROM orders GROUP BY 1 ORDER BY 1`,
    ),
    orders.sql.query(`SELECT ${salesColumns} FROM orders`),
  ]);
  expect(periods.filter(({ orders: count }) => count > 0)).toEqual(months.rows);
  expect([...packages].sort((a, b) => (a.packageName! < b.packageName! ? -1 : 1))).toEqual(names.rows);
  expect(all).toEqual({ ...allYears, ...everything.rows[0] });
}

/**
 * Zero if the totals agree with the orders on their number and on the sum of their prices. One statement reads both. The factor 7 makes it unlikely
 * that a wrong number and a wrong sum cancel each other out.
 */
async function difference(): Promise<number> {
  const { rows } = await orders.sql.query<{ apart: string }>(`
    SELECT (SELECT coalesce(sum(orders * 7 + price_cents), 0) FROM (
        SELECT orders, price_cents FROM order_totals UNION ALL SELECT orders, price_cents FROM order_total_changes
      ) AS totals) - (SELECT coalesce(sum(7 + price_cents), 0) FROM orders) AS apart`);
  return Number(rows[0]!.apart);
}

async function expectExactTotals(): Promise<void> {
  await expectExactSales();
  expect(await summary(admin)).toEqual(await summaryFromOrders('true'));
  for (const person of people) {
    expect(await summary(person)).toEqual({
      ...(await summaryFromOrders(`account_id = '${person.accountId}'`)),
      // Only admins see how many orders are flagged.
      flagged: 0,
    });
  }
}

const fold = () => orders.replicas[1]!.app.get(OrderTotalsRepository, { strict: false }).fold();

type Step =
  | { do: 'place'; who: number; cheap: boolean }
  | { do: 'pay'; which: number; state: ProviderState; refundedCents: number }
  | { do: 'override' | 'cancel' | 'deliver' | 'flag' | 'clear'; which: number }
  | { do: 'fold' };

const which = fc.nat(1000);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('place' as const), who: fc.nat(1), cheap: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      which,
      state: fc.constantFrom<ProviderState>(
        'pending',
        'failed',
        'paid',
        'partially_refunded',
        'refunded',
        'disputed',
      ),
      refundedCents: fc.nat(29_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('override', 'cancel', 'deliver', 'flag', 'clear'), which }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
);

test('totals equal the sums over the orders after concurrent changes, before and after these are folded into the totals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 40, maxLength: 80 }), async (steps) => {
      const { rows } = await orders.sql.query<{ id: string }>('SELECT id FROM orders');
      const orderIds = rows.map(({ id }) => id);
      const perform = async (step: Step): Promise<unknown> => {
        if (step.do === 'fold') return fold();
        if (step.do === 'place') {
          const offer = step.cheap ? { packageName: 'Cheap', packagePrice: '0.01' } : {};
          return orders.place(offer, people[step.who]!);
        }
        if (orderIds.length === 0) return undefined;
        const id = orderIds[step.which % orderIds.length]!;
        if (step.do === 'pay') {
          const { state, refundedCents } = step;
          return orders.applyChange(id, {
            providerOutcome: { state, payments: [], refundedCents, disputedCents: 0, paidTwice: false },
          });
        }
        const changes: Record<typeof step.do, OrderChange> = {
          override: { override: step.which % 2 ? 'Paid' : 'UnPaid' },
          cancel: { cancelledBy: 'customer' },
          deliver: { orderStatus: step.which % 3 ? 'Delivered' : 'Pending' },
          flag: { raise: ['notice_held'] },
          clear: { clearFlags: true },
        };
        return orders.applyChange(id, changes[step.do]);
      };
      let done = false;
      const working = Promise.all(steps.map(perform)).finally(() => (done = true));
      while (!done) expect(await difference()).toBe(0);
      await working;
      await expectExactTotals();
      await fold();
      await expectExactTotals();
    }),
    // The steps run concurrently, so another run of the same steps may pass: shrinking would only hide the cause.
    { numRuns: 12, endOnFailure: true },
  );
  expect((await summary(admin)).orders).toBeGreaterThan(50);
});

test('totals follow any statement that changes orders', async () => {
  await orders.putOrders(5000);
  await expectExactTotals();
  await orders.sql.query(
    `UPDATE orders SET payment_status = 'Cancelled', refunded_cents = 3 WHERE order_status = 'Pending'`,
  );
  await expectExactTotals();
  await fold();
  await orders.sql.query(`UPDATE orders SET account_id = '${otherCustomer.accountId}' WHERE flags <> '{}'`);
  await expectExactTotals();
  await orders.sql.query('DELETE FROM orders WHERE price_cents % 2 = 0');
  await expectExactTotals();
  await orders.sql.query('DELETE FROM orders');
  await expectExactTotals();
  expect(await summary(admin)).toMatchObject({ orders: 0, totalSales: '0.00', refunded: '0.00' });
});

test('totals stay exact when more changes wait to be folded than one statement can move', async () => {
  await orders.sql.query(`
    INSERT INTO order_total_changes
      (account_id, order_date, package_name, payment_status, order_status, flagged, orders, price_cents, refunded_cents)
    SELECT '${customer.accountId}', '2026-01-01', 'Basic', 'Paid', 'Pending', false, sign, sign * 29000, 0
    FROM generate_series(1, 12501), (VALUES (1), (-1)) AS signs (sign)`);
  // Another replica may have the lock for a moment.
  await eventually(async () => {
    await fold();
    expect(await difference()).toBe(0);
    expect((await orders.sql.query('SELECT count(*)::int AS changes FROM order_total_changes')).rows).toEqual(
      [{ changes: 0 }],
    );
  });
});

test('an admin may request the totals of their own orders', async () => {
  await orders.place({}, admin);
  await orders.place();
  const own = await orders.client.call(orderContract.getOrdersSummary, { own: true }, { actor: admin });
  expect([own.orders, (await summary(admin)).orders]).toEqual([1, 2]);
});

test('sales are reported by day, week and month, without gaps; invalid or too long ranges are refused, and so are customers', async () => {
  await orders.sql.query('DELETE FROM orders');
  const { _id } = await orders.place();
  await orders.sql.query(
    `UPDATE orders SET order_date = '2026-03-04', payment_status = 'Paid', refunded_cents = 29000 WHERE id = $1`,
    [_id],
  );
  const sold = { orders: 1, paid: 1, sales: '290.00', refunded: '290.00' };
  const none = { orders: 0, paid: 0, sales: '0.00', refunded: '0.00' };
  const days = { from: '2026-03-03', to: '2026-03-05' };
  expect(await sales({ ...days, by: 'day' })).toEqual({
    ...days,
    by: 'day',
    ...sold,
    periods: [
      { from: '2026-03-03', ...none },
      { from: '2026-03-04', ...sold },
      { from: '2026-03-05', ...none },
    ],
    packages: [{ packageName: 'Basic', ...sold }],
  });
  expect((await sales({ ...days, by: 'week' })).periods).toEqual([{ from: '2026-03-02', ...sold }]);
  expect((await sales({ from: '2026-03-05', to: '2026-03-31', by: 'month' })).orders).toBe(0);
  await expect(sales({ from: '2026-03-05', to: '2026-03-04', by: 'day' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  await expect(sales({ from: '2020-01-01', to: '2026-03-04', by: 'day' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  const byCustomer = orders.client.call(orderContract.getSales, { ...days, by: 'day' }, { actor: customer });
  await expect(byCustomer).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('unpaid orders are counted by age, and the list shows exactly those', async () => {
  await orders.sql.query('DELETE FROM orders');
  // One order for each hour of the last 40 days.
  await orders.putOrders(40 * 24);
  const list = (filter: CallInput<typeof orderContract.listOrders>) =>
    orders.client.call(orderContract.listOrders, filter, { actor: admin });
  const ages = await orders.client.call(orderContract.listUnpaidAges, {}, { actor: admin });
  expect(ages.map(({ fromDays, toDays }) => [fromDays, toDays])).toEqual([
    [0, 1],
    [2, 7],
    [8, 30],
    [31, null],
  ]);
  for (const { from, to, orders: expected } of ages) {
    expect(expected).toBeGreaterThan(0);
    const days = { ...(from && { from }), ...(to && { to }) };
    const found = await list({ paymentStatus: 'UnPaid', ...days });
    expect([found.total, found.items.length]).toEqual([expected, expected]);
    // The total of a search is counted from the orders, not read from the totals.
    expect((await list({ paymentStatus: 'UnPaid', search: 'person', ...days })).total).toBe(expected);
    expect((await list({ paymentStatus: 'UnPaid', own: true, ...days })).total).toBe(0);
  }
  expect(ages.reduce((sum, { orders: count }) => sum + count, 0)).toBe(
    (await list({ paymentStatus: 'UnPaid' })).total,
  );
});

describe('monthly plans', () => {
  afterEach(() => orders.sql.query('DELETE FROM subscription_timeline; DELETE FROM subscriptions'));

  /** Inserts a plan that is charged again in 20 days. */
  const insertPlan = async (actor: Actor, addedTaxRate = '0', priceCents = 25_000): Promise<string> =>
    orders.putPlan(await orders.place({}, actor), {
      added_tax_rate: addedTaxRate,
      price_cents: priceCents,
      next_charge_at: new Date(Date.now() + 20 * 86_400_000),
    });
  const preview = () =>
    orders.client.call(
      planSubscriptionContract.previewPriceChange,
      { packageName: 'Basic' },
      { actor: admin },
    );
  const announce = () =>
    orders.client.call(
      planSubscriptionContract.announcePriceChange,
      { packageName: 'Basic', packagePrice: '290.00' },
      { actor: admin },
    );

  test('count with added tax in the expected charges, and without it in the recurring amount', async () => {
    await insertPlan(customer);
    await insertPlan(otherCustomer, '25.5');
    const figures = await orders.client.call(
      planSubscriptionContract.getSubscriptionFigures,
      {},
      { actor: admin },
    );
    expect(figures).toMatchObject({ recurring: '500.00', expected: { charges: 2, amount: '563.75' } });
  });

  test('get the announcement of a new price; a customer with several plans counts once', async () => {
    for (const person of [customer, customer, otherCustomer]) await insertPlan(person);
    await insertPlan(customer, '0', 27_000);
    expect(await preview()).toMatchObject({
      customers: 2,
      groups: [
        { price: '250.00', customers: 2 },
        { price: '270.00', customers: 1 },
      ],
    });
    expect(await announce()).toEqual({ announced: 2, remaining: 0 });
    expect((await preview()).groups).toEqual([]);
  });

  fullTest('that could not get the announcement in five seconds are left to another request', async () => {
    // Plans get the announcement in the order of their ids.
    const [first] = [await insertPlan(customer), await insertPlan(otherCustomer)].sort();
    await orders.sql.query('BEGIN');
    await orders.sql.query('SELECT FROM subscriptions WHERE id = $1 FOR UPDATE', [first]);
    const announced = announce();
    await eventually(async () => {
      const { rows } = await orders.sql.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });
    await pause(5_000);
    await orders.sql.query('COMMIT');
    expect(await announced).toEqual({ announced: 1, remaining: 1 });
    expect(await announce()).toEqual({ announced: 1, remaining: 0 });
  });
});
