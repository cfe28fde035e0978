import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Actor,
  type CallInput,
  cursorLimit,
  type Order,
  orderContract,
  planSubscriptionContract,
} from '#libs/contracts';
import { actors } from '#libs/testing';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin, customer } = actors;
const total = 2500;

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders();
  await orders.putOrders(total - 100);
  await orders.putOrders(100, { accountId: otherCustomer.accountId });
  await orders.sql.query('ANALYZE orders');
});
afterAll(() => orders?.stop());

type ListInput = CallInput<typeof orderContract.listOrders>;
const list = (input: ListInput = {}, actor: Actor = admin) =>
  orders.client.call(orderContract.listOrders, input, { actor });

/** Reads all pages by cursor. */
async function walk(input: ListInput, actor: Actor = admin, limit = 170): Promise<Order[]> {
  const found: Order[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...input, limit, cursor }, actor);
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    expect(page.total).toBeGreaterThanOrEqual(found.length);
    if (cursor === undefined) expect(page.total).toBe(found.length);
  } while (cursor !== undefined);
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length);
  return found;
}

async function idsWhere(condition: string): Promise<string[]> {
  const { rows } = await orders.sql.query<{ id: string }>(
    `SELECT id FROM orders WHERE ${condition} ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

const ids = (found: Order[]) => found.map(({ _id }) => _id).sort();

describe('the list', () => {
  test('returns all by cursor, newest first, each once', async () => {
    const all = await walk({});
    expect(ids(all)).toEqual(await idsWhere('true'));
    const keys = all.map(({ createdAt, _id }) => `${createdAt} ${_id}`);
    expect(keys).toEqual(keys.toSorted().reverse());
    const oldestFirst = await walk({ direction: 'asc' });
    expect(oldestFirst.map(({ _id }) => _id)).toEqual(all.map(({ _id }) => _id).reverse());
  });

  test('returns the newest 1000 by default, and pages by number', async () => {
    const newest = await list();
    expect([newest.items.length, newest.total]).toEqual([1000, total]);
    const pages = await Promise.all([1, 2].map((page) => list({ page, limit: 500 })));
    expect(pages.flatMap(({ items }) => items)).toEqual(newest.items);
    const beyond = await list({ page: 6, limit: 500 });
    expect(beyond).toEqual({ items: [], total, nextCursor: null });
  });

  test.each(['orderDate', 'customerName', 'packagePrice'] as const)(
    'is sorted by %s, both ways',
    async (sort) => {
      const key = {
        orderDate: ({ orderDate }: Order) => orderDate.slice(6) + orderDate.slice(0, 5),
        customerName: ({ customerName }: Order) => customerName.toLowerCase(),
        // All orders have the same `package_price` here. They are sorted by `price_cents`, which differs: see the next test.
        packagePrice: (_: Order) => '',
      }[sort];
      const descending = await walk({ sort });
      const ascending = await walk({ sort, direction: 'asc' });
      expect(ids(descending)).toEqual(await idsWhere('true'));
      expect(ascending.map(({ _id }) => _id)).toEqual(descending.map(({ _id }) => _id).reverse());
      expect(ascending.map(key)).toEqual(ascending.map(key).toSorted());
    },
  );

  test('is sorted by price', async () => {
    await orders.sql.query(`UPDATE orders SET package_price = (price_cents / 100.0)::numeric(12,2)::text`);
    const prices = (await walk({ sort: 'packagePrice' })).map(({ packagePrice }) => Number(packagePrice));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    expect(new Set(prices).size).toBe(7);
  });

  test('contains each long, empty or non-ASCII name once, across pages, and ignores case when it sorts', async () => {
    const names = [
      'Ärger',
      'ada',
      'Ada',
      'ADA',
      'x'.repeat(300),
      'x'.repeat(299),
      '漢字',
      '😀'.repeat(150),
      'a.b',
      '',
    ];
    await orders.sql.query(
      `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address,
         customer_country, package_name, package_price, price_cents, created_at, updated_at)
       SELECT gen_random_uuid(), '019a0000-0000-7000-8000-0000000000aa', now(), name, 'a@example.com', 'S', 'N', 'Basic',
         '1', 100, now(), now()
       FROM unnest($1::text[]) AS name`,
      [names],
    );
    const person = { ...customer, accountId: '019a0000-0000-7000-8000-0000000000aa' };
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ sort: 'customerName', direction: 'asc', limit: 1, cursor }, person);
      found.push(...page.items.map(({ customerName }) => customerName));
      cursor = page.nextCursor ?? undefined;
      expect((cursor ?? '').length).toBeLessThanOrEqual(cursorLimit);
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(names.toSorted());
    // Only the first 60 characters are compared.
    const sorted = ['', 'a.b', 'ada', 'ada', 'ada', 'x'.repeat(60), 'x'.repeat(60), 'ärger', '漢字'];
    expect(found.map((name) => [...name.toLowerCase()].slice(0, 60).join(''))).toEqual([
      ...sorted,
      '😀'.repeat(60),
    ]);
    await orders.sql.query('DELETE FROM orders WHERE account_id = $1', [person.accountId]);
  });

  test.each<[string, ListInput, string]>([
    ['a payment status', { paymentStatus: 'UnPaid' }, `payment_status = 'UnPaid'`],
    ['a payment status that no order has', { paymentStatus: 'Cancelled' }, 'false'],
    ['an order status', { orderStatus: 'Pending' }, `order_status = 'Pending'`],
    [
      'both statuses',
      { paymentStatus: 'Paid', orderStatus: 'Delivered' },
      `payment_status = 'Paid' AND order_status = 'Delivered'`,
    ],
    ['flags', { flagged: true }, `flags <> '{}'`],
    ['no flags', { flagged: false, paymentStatus: 'Paid' }, `flags = '{}' AND payment_status = 'Paid'`],
    [
      'an order status, and sorted by name',
      { orderStatus: 'Pending', sort: 'customerName' },
      `order_status = 'Pending'`,
    ],
    ['an e-mail address', { search: 'P77@Example' }, `customer_email LIKE 'p77@example%'`],
    ['a part of a name', { search: 'PERSON 4a' }, `customer_name LIKE 'Person 4a%'`],
    [
      'a package',
      { search: 'premium', paymentStatus: 'Paid' },
      `package_name = 'Premium' AND payment_status = 'Paid'`,
    ],
    ['two characters', { search: '7@' }, `customer_email LIKE '%7@%'`],
    ['wildcards', { search: '%_\\' }, 'false'],
    // In `search_text`, a line break separates the e-mail address from the name of the package.
    ['a line break', { search: 'com\nBasic' }, `package_name = 'Basic'`],
    ['blanks', { search: '   ' }, 'true'],
  ])('filtered by %s contains exactly the matching orders', async (_what, input, condition) => {
    expect(ids(await walk(input))).toEqual(await idsWhere(condition));
  });

  test('finds an order by its id', async () => {
    const [id] = await idsWhere('true');
    expect(ids(await walk({ search: id!.toUpperCase() }))).toEqual([id]);
  });

  describe('finds an order by its number', () => {
    let id: string;
    let number: string;
    beforeAll(async () => {
      const { rows } = await orders.sql.query<{ id: string; number: string }>(
        `SELECT id, number FROM orders WHERE account_id = $1
         ORDER BY created_at DESC OFFSET 300 LIMIT 1`,
        [customer.accountId],
      );
      ({ id, number } = rows[0]!);
      // Nine newer orders get this number in their e-mail address.
      await orders.sql.query(
        `UPDATE orders SET customer_email = 'p' || $1 || '-' || number || '@example.com'
         WHERE id IN (SELECT id FROM orders WHERE number <> $1::bigint AND account_id = $2 ORDER BY created_at DESC LIMIT 9)`,
        [number, customer.accountId],
      );
    });

    test('ahead of orders whose text contains the number, whatever the page size and the sort order', async () => {
      const expected = await idsWhere(
        `account_id = '${customer.accountId}' AND (number = ${number} OR search_text LIKE '%${number}%')`,
      );
      expect(expected.length).toBeGreaterThanOrEqual(10);
      for (const direction of ['desc', 'asc'] as const) {
        for (const limit of [1, 3, 20]) {
          const found = await walk({ search: number, direction }, customer, limit);
          expect(found[0]!._id).toBe(id);
          expect(ids(found)).toEqual(expected);
          const keys = found.slice(1).map(({ createdAt, _id }) => `${createdAt} ${_id}`);
          expect(keys).toEqual(direction === 'asc' ? keys.toSorted() : keys.toSorted().reverse());
          const sorted = await walk({ search: number, direction, sort: 'packagePrice' }, customer, limit);
          expect([sorted[0]!._id, ids(sorted)]).toEqual([id, expected]);
        }
      }
      const rest = await list({ search: number, page: 2, limit: expected.length - 1 }, customer);
      expect(rest.items).toHaveLength(1);
    });

    test('and no other order, if # precedes the number', async () => {
      expect(ids(await walk({ search: `#${number}` }))).toEqual([id]);
      expect(ids(await walk({ search: `#${number}`, sort: 'customerName' }))).toEqual([id]);
    });

    test('only among the customer’s own orders', async () => {
      expect(ids(await walk({ search: `#${number}` }, otherCustomer))).toEqual([]);
    });

    test('but searches only the text if the search term is more than a number, or if no order has that number', async () => {
      const pattern = `${number}-`;
      expect(ids(await walk({ search: pattern }))).toEqual(
        await idsWhere(`customer_email LIKE '%${pattern}%'`),
      );
      expect((await list({ search: '999999999999999' })).total).toBe(0);
    });

    test('with the indexes', async () => {
      // The table is so small that Postgres would otherwise read all of it.
      await orders.sql.query('SET enable_seqscan = off');
      const { rows } = await orders.sql.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM orders WHERE search_text LIKE '%${number}%' OR number = ${number}`,
      );
      await orders.sql.query('RESET enable_seqscan');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/BitmapOr[^]*orders_search[^]*orders_by_number/);
    });
  });

  test('finds the same orders without the search index', async () => {
    const withIndex = ids(await walk({ search: 'person 4a' }));
    await orders.sql.query('DROP INDEX orders_search');
    expect(ids(await walk({ search: 'person 4a' }))).toEqual(withIndex);
    await orders.sql.query('CREATE INDEX orders_search ON orders USING gin (search_text gin_trgm_ops)');
  });

  test('aborts a search that takes too long, with advice', async () => {
    await orders.sql.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
    try {
      await expect(list({ search: 'person' })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('Enter more of the name'),
      });
    } finally {
      await orders.sql.query('ROLLBACK');
    }
    expect((await list({ search: 'person 4a' })).total).toBeGreaterThan(0);
  });

  test('shows customers only their own orders, and on request shows admins only their own', async () => {
    const own = `account_id = '${customer.accountId}'`;
    expect(ids(await walk({}, customer))).toEqual(await idsWhere(own));
    expect(ids(await walk({ own: false, search: 'p7@' }, customer))).toEqual(
      await idsWhere(`${own} AND customer_email = 'p7@example.com'`),
    );
    expect(ids(await walk({ paymentStatus: 'Paid' }, otherCustomer))).toEqual(
      await idsWhere(`account_id = '${otherCustomer.accountId}' AND payment_status = 'Paid'`),
    );
    expect((await list({ own: true })).total).toBe(0);
    expect(
      (await list({}, { ...otherCustomer, accountId: '019a0000-0000-7000-8000-00000000ffff' })).total,
    ).toBe(0);
  });

  test('hides flags from customers, in records and in the filter', async () => {
    const flagged = await idsWhere(`flags <> '{}'`);
    expect(flagged).not.toEqual([]);
    expect(ids(await walk({ flagged: true }))).toEqual(flagged);
    const all = await walk({}, customer);
    expect(all).toHaveLength(total - 100);
    expect(all.flatMap(({ flags }) => flags)).toEqual([]);
    expect((await list({ flagged: true }, customer)).total).toBe(0);
    expect((await list({ flagged: false }, customer)).total).toBe(all.length);
  });

  test.each<[string, ListInput]>([
    ['cursor', { cursor: 'x' }],
    ['cursor', { cursor: '' }],
    ['cursor', { cursor: `createdAt.zzzzzzzzz.${'-'.repeat(36)}` }],
    ['cursor', { cursor: `createdAt.${'z'.repeat(10)}.019a0000-0000-7000-8000-000000000001` }],
    ['cursor', { cursor: 'createdAt.abc.019a0000-0000-7000-8000-000000000001', sort: 'orderDate' }],
    ['cursor', { cursor: 'orderDate.2026-02-30.019a0000-0000-7000-8000-000000000001', sort: 'orderDate' }],
    ['cursor', { cursor: 'priceCents.1e9.019a0000-0000-7000-8000-000000000001', sort: 'packagePrice' }],
    ['cursor', { cursor: 'nameSorted.AAAA.019a0000-0000-7000-8000-000000000001', sort: 'customerName' }],
    ['search', { search: 'a\0b' }],
    ['limit', { limit: 1001 }],
    ['page', { page: 0 }],
  ])('refuses %s: %j', async (field, input) => {
    await expect(list(input)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field }] },
    });
  });

  test.each([
    ['orders_by_time', ''],
    ['orders_by_account', `account_id = '${otherCustomer.accountId}' AND`],
    ['orders_flagged', `flags <> '{}' AND`],
  ])('is read from the index %s', async (index, filter) => {
    // Like the query of `listPage` with some cursor and a limit of 5.
    const { rows } = await orders.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM orders WHERE ${filter}
         (created_at, id) < (now() - interval '700 ms', '00000000-0000-0000-0000-000000000000')
       ORDER BY created_at DESC, id DESC LIMIT 6`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index}`));
  });
});

describe('the list of monthly plans', () => {
  test('has only those that will be charged, if it is sorted by the next charge', async () => {
    const charged = ['2027-02-01', '2027-01-01'].map((next_charge_at) => ({ next_charge_at }));
    const stopped = (wanted_because: string, state: string) => ({
      ...{ next_charge_at: '2026-12-01', wanted: 'stopped', wanted_because, state },
    });
    // The last of these plans has no date of a next charge.
    const others = [stopped('paused', 'paused'), stopped('unpaid', 'suspended'), {}];
    const all = [...charged, ...others];
    const { items: firstOrders } = await list({ limit: all.length });
    const [later, sooner] = await Promise.all(
      all.map((columns, n) => orders.putPlan(firstOrders[n]!, columns)),
    );
    const { items, total } = await orders.client.call(
      planSubscriptionContract.listPlanSubscriptions,
      { sort: 'nextChargeAt', direction: 'asc' },
      { actor: admin },
    );
    expect([items.map(({ _id }) => _id), total]).toEqual([[sooner, later], 2]);
  });
});
