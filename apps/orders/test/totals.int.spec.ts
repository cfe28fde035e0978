import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { type Actor, orderContract, type OrdersSummary } from '#libs/contracts';
import { actors } from '#libs/testing';
import { OrderChanges } from '../order/order-changes.js';
import type { ProviderState } from '../order/order-payment.js';
import type { OrderChange } from '../order/order-transition.js';
import { OrderTotals } from '../totals/order-totals.js';
import { type OrdersUnderTest, startOrders, stranger } from './orders.harness.js';

const { admin, customer } = actors;
const people = [customer, stranger];

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent();
  await orders.offer('Basic', '290.00');
  await orders.offer('Rare', '0.01');
  await orders.projected({ Basic: '290.00', Rare: '0.01' });
});
afterAll(() => orders?.stop());

const summary = (actor: Actor) => orders.client.call(orderContract.summary, {}, { actor });

/** Counted and added up from the orders themselves. */
async function naive(condition: string): Promise<OrdersSummary> {
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

/** Totals and orders of one moment, in one statement: how far apart are they? */
async function difference(): Promise<number> {
  const { rows } = await orders.sql.query<{ apart: string }>(`
    SELECT (SELECT coalesce(sum(orders * 7 + price_cents), 0) FROM (
        SELECT orders, price_cents FROM order_totals UNION ALL SELECT orders, price_cents FROM order_total_changes
      ) AS totals) - (SELECT coalesce(sum(7 + price_cents), 0) FROM orders) AS apart`);
  return Number(rows[0]!.apart);
}

async function expectExact(): Promise<void> {
  expect(await summary(admin)).toEqual(await naive('true'));
  for (const person of people) {
    expect(await summary(person)).toEqual({
      ...(await naive(`account_id = '${person.accountId}'`)),
      flagged: 0,
    });
  }
}

async function apply(id: string, change: OrderChange): Promise<void> {
  const { app } = orders.replicas[0]!;
  const changes = app.get(OrderChanges, { strict: false });
  await app.get(DataSource, { strict: false }).transaction(async (tx) => {
    await changes.apply(tx, (await changes.lock(tx, id))!, change, []);
  });
}

const fold = () => orders.replicas[1]!.app.get(OrderTotals, { strict: false }).fold();

type Step =
  | { do: 'place'; who: number; rare: boolean }
  | { do: 'pay'; which: number; state: ProviderState; refundedCents: number }
  | { do: 'override' | 'cancel' | 'deliver' | 'flag' | 'clear'; which: number }
  | { do: 'fold' };

const which = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('place' as const), who: fc.nat(1), rare: fc.boolean() }),
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

test('totals are what adding up gives, after any changes at once, folded or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
      const { rows } = await orders.sql.query<{ id: string }>('SELECT id FROM orders');
      const known = rows.map(({ id }) => id);
      const take = async (one: Step): Promise<unknown> => {
        if (one.do === 'fold') return fold();
        if (one.do === 'place') {
          const offer = one.rare ? { packageName: 'Rare', packagePrice: '0.01' } : {};
          return orders.place(offer, people[one.who]!);
        }
        if (known.length === 0) return undefined;
        const id = known[one.which % known.length]!;
        if (one.do === 'pay') {
          const { state, refundedCents } = one;
          return apply(id, { provider: { state, payments: [], refundedCents, paidTwice: false } });
        }
        const changes: Record<typeof one.do, OrderChange> = {
          override: { override: one.which % 2 ? 'Paid' : 'UnPaid' },
          cancel: { cancelled: true },
          deliver: { orderStatus: one.which % 3 ? 'Delivered' : 'Pending' },
          flag: { raise: ['notice_held'] },
          clear: { clearFlags: true },
        };
        return apply(id, changes[one.do]);
      };
      let done = false;
      const working = Promise.all(steps.map(take)).finally(() => (done = true));
      while (!done) expect(await difference()).toBe(0);
      await working;
      await expectExact();
      await fold();
      await expectExact();
    }),
    { numRuns: 12 },
  );
  expect((await summary(admin)).orders).toBeGreaterThan(50);
});

test('totals follow whatever statement changes orders', async () => {
  await orders.put(5000);
  await expectExact();
  await orders.sql.query(
    `UPDATE orders SET payment_status = 'Cancelled', refunded_cents = 3 WHERE order_status = 'Pending'`,
  );
  await expectExact();
  await fold();
  await orders.sql.query(`UPDATE orders SET account_id = '${stranger.accountId}' WHERE flags <> '{}'`);
  await expectExact();
  await orders.sql.query('DELETE FROM orders WHERE price_cents % 2 = 0');
  await expectExact();
  await orders.sql.query('DELETE FROM orders');
  await expectExact();
  expect(await summary(admin)).toMatchObject({ orders: 0, totalSales: '0.00', refunded: '0.00' });
});

test('an admin may ask for the own totals', async () => {
  await orders.place({}, admin);
  await orders.place();
  const own = await orders.client.call(orderContract.summary, { own: true }, { actor: admin });
  expect([own.orders, (await summary(admin)).orders]).toEqual([1, 2]);
});
