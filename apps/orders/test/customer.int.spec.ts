import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Actor, type CallInput, type Customer, customerContract, orderContract } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { DeletedAccountService } from '../deleted-account/deleted-account.service.js';
import { type OrdersUnderTest, otherCustomer, startOrders } from './orders.harness.js';

const { admin, customer } = actors;

let orders: OrdersUnderTest;
beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent({ Basic: '290.00', Premium: '990.00' });
});
afterAll(() => orders?.stop());
beforeEach(() => orders.sql.query('DELETE FROM orders'));

type ListInput = CallInput<typeof customerContract.listCustomers>;
const list = (input: ListInput = {}, actor: Actor = admin) =>
  orders.client.call(customerContract.listCustomers, input, { actor });
const getCustomer = (id: string, actor: Actor = admin) =>
  orders.client.call(customerContract.getCustomer, { id }, { actor });
const addNote = (id: string, text: string, actor: Actor = admin) =>
  orders.client.call(customerContract.addCustomerNote, { id, text }, { actor });
const listNotes = (id: string, actor: Actor = admin) =>
  orders.client.call(customerContract.listCustomerNotes, { id }, { actor });
const pay = (id: string) =>
  orders.client.call(orderContract.updateOrderPaymentStatus, { id, paymentStatus: 'Paid' }, { actor: admin });
const premium = { packageName: 'Premium', packagePrice: '990.00' };
/** Changes reach the list within a second. */
const expectList = (names: string[], input: ListInput = {}) =>
  eventually(async () => {
    const page = await list(input);
    expect(page.items.map(({ name }) => name)).toEqual(names);
    return page;
  });

/** Inserts customers without the orders that their totals count. */
const putCustomers = (rows: number) =>
  orders.sql.query(
    `INSERT INTO customers (account_id, name, email, orders, spent_cents, refunded_cents, first_order_at, last_order_at)
     SELECT gen_random_uuid(), 'Person ' || n, 'p' || n || '@example.com', 1, n % 7, 0, now(), now() - (n / 3) * interval '1 ms'
     FROM generate_series(1, $1::int) n`,
    [rows],
  );

describe('a customer', () => {
  test('has the details of their newest order and the totals of all their orders, and without orders is no longer listed', async () => {
    const first = await orders.place({ customerName: 'Ada Byron' });
    await orders.place({ ...premium, customerName: 'Ada Lovelace' });
    await pay(first._id);
    const found = await eventually(async () => {
      const current = await getCustomer(customer.accountId);
      expect(current).toMatchObject({ name: 'Ada Lovelace', orders: 2, spent: '290.00' });
      return current;
    });
    expect(found).toMatchObject({
      _id: customer.accountId,
      email: customer.email,
      refunded: '0.00',
      firstOrderAt: first.createdAt,
    });
    expect(await expectList(['Ada Lovelace'])).toEqual({ items: [found], total: 1, nextCursor: null });
    await orders.sql.query('DELETE FROM orders');
    await expectList([]);
  });

  test('is also brought up to date when an earlier release of the service folds the changes into the totals', async () => {
    await orders.sql.query('BEGIN');
    // Takes the lock of `OrderTotalsRepository.fold`, so that the replicas leave the changes to the earlier release’s statement below.
    await orders.sql.query('SELECT pg_advisory_xact_lock(7205320)');
    await orders.place({ customerName: 'Ada Lovelace' });
    await orders.sql.query(
      `WITH taken AS (DELETE FROM order_total_changes RETURNING *)
       INSERT INTO account_order_totals AS totals
       SELECT account_id, payment_status, order_status, flagged, sum(orders), sum(price_cents), sum(refunded_cents)
       FROM taken GROUP BY 1, 2, 3, 4
       ON CONFLICT (account_id, payment_status, order_status, flagged) DO UPDATE SET orders = totals.orders + excluded.orders,
         price_cents = totals.price_cents + excluded.price_cents, refunded_cents = totals.refunded_cents + excluded.refunded_cents`,
    );
    await orders.sql.query('COMMIT');
    expect(await getCustomer(customer.accountId)).toMatchObject({ name: 'Ada Lovelace', orders: 1 });
  });

  test('is found by a part of the name or e-mail address, or by the exact address, and the list is sorted', async () => {
    await orders.place({ customerName: 'Ada Lovelace' });
    await orders.place({ customerName: 'Zoe' }, otherCustomer);
    await pay((await orders.place({ customerName: 'Zoe' }, otherCustomer))._id);
    await eventually(async () => expect((await getCustomer(otherCustomer.accountId)).spent).toBe('290.00'));
    await expectList(['Zoe', 'Ada Lovelace']);
    await expectList(['Ada Lovelace', 'Zoe'], { sort: 'name', direction: 'asc' });
    await expectList(['Zoe', 'Ada Lovelace'], { sort: 'spent' });
    await expectList(['Ada Lovelace'], { search: 'LOVE' });
    await expectList(['Zoe'], { search: otherCustomer.email.slice(2) });
    await expectList(['Zoe'], { email: otherCustomer.email.toUpperCase() });
    await expectList([], { email: `x${otherCustomer.email}` });
    await expectList([], { search: '%' });
  });

  test('has a list of orders, which admins may read, and other customers may not', async () => {
    const { _id } = await orders.place();
    await orders.place({}, otherCustomer);
    const ordersSeenBy = async (actor: Actor) => {
      const request = { customer: customer.accountId };
      return (await orders.client.call(orderContract.listOrders, request, { actor })).items;
    };
    expect((await ordersSeenBy(admin)).map((order) => order._id)).toEqual([_id]);
    expect(await ordersSeenBy(otherCustomer)).toEqual([]);
  });

  test('can be read and annotated by admins only; an unknown customer is not found', async () => {
    for (const call of [
      () => list({}, customer),
      () => getCustomer(customer.accountId, customer),
      () => listNotes(customer.accountId, customer),
      () => addNote(customer.accountId, 'x', customer),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const id of [randomUUID(), 'x', '']) {
      await expect(getCustomer(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(listNotes(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(addNote(id, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('whose account was deleted while the list was updated is removed from it, with the notes', async () => {
    const accountId = randomUUID();
    await putCustomers(1);
    await orders.sql.query(`UPDATE customers SET account_id = $1 WHERE name = 'Person 1'`, [accountId]);
    await addNote(accountId, 'Prefers to be called.');
    await orders.sql.query('INSERT INTO deleted_accounts (account_id, deleted_at) VALUES ($1, now())', [
      accountId,
    ]);
    await orders.replicas[0]!.app.get(DeletedAccountService, { strict: false }).sweep();
    await expect(getCustomer(accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const kept = await orders.sql.query('SELECT 1 FROM staff_notes WHERE account_id = $1', [accountId]);
    expect(kept.rows).toEqual([]);
  });
});

describe('notes about a customer', () => {
  test('are listed with the notes about the customer’s orders, oldest first', async () => {
    const { _id: orderId, number } = await orders.place();
    await eventually(() => getCustomer(customer.accountId));
    const first = await addNote(customer.accountId, 'Prefers to be called.');
    expect(first).toMatchObject({ orderId: null, orderNumber: null, author: admin.email });
    const second = await orders.client.call(
      orderContract.addOrderNote,
      { id: orderId, text: 'Called.' },
      { actor: admin },
    );
    expect(second).toMatchObject({ orderId, orderNumber: number });
    expect(await listNotes(customer.accountId)).toEqual([first, second]);
    const ofOrder = await orders.client.call(orderContract.listOrderNotes, { id: orderId }, { actor: admin });
    expect(ofOrder).toEqual([second]);
    const { rows } = await orders.sql.query<object>(
      `SELECT section, name, after FROM audit_entries WHERE record_id = $1`,
      [customer.accountId],
    );
    expect(rows).toEqual([{ section: 'customer', name: 'Ada Lovelace', after: { added: 'note' } }]);
  });

  test('are limited to a hundred, not counting those about orders', async () => {
    const { _id: orderId } = await orders.place({}, otherCustomer);
    await eventually(() => getCustomer(otherCustomer.accountId));
    const fill = (aboutOrderId: string | null, count: number) =>
      orders.sql.query(
        `INSERT INTO staff_notes (id, account_id, order_id, text, author, author_account, created_at)
         SELECT gen_random_uuid(), $1, $2, 'n', 'a@example.com', $1, now() FROM generate_series(1, $3::int)`,
        [otherCustomer.accountId, aboutOrderId, count],
      );
    await fill(orderId, 100);
    await fill(null, 99);
    await addNote(otherCustomer.accountId, 'The last one');
    await expect(addNote(otherCustomer.accountId, 'One more')).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
  });
});

describe('the list of customers', () => {
  test('returns 2,500 customers by cursor, each once, whatever they are sorted by', async () => {
    await putCustomers(2_500);
    const keys = {
      lastOrderAt: ({ lastOrderAt }: Customer) => lastOrderAt,
      name: ({ name }: Customer) => name.toLowerCase(),
      spent: ({ spent }: Customer) => spent.padStart(12, '0'),
    };
    for (const sort of ['lastOrderAt', 'name', 'spent'] as const) {
      const seen: string[] = [];
      const sortedBy: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ sort, limit: 700, ...(cursor && { cursor }) });
        seen.push(...page.items.map(({ _id }) => _id));
        sortedBy.push(...page.items.map(keys[sort]));
        // Customers of earlier tests may still be listed.
        expect(page.total).toBeGreaterThanOrEqual(2_500);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThanOrEqual(2_500);
      expect(sortedBy).toEqual(sortedBy.toSorted().reverse());
    }
  });

  test.each([
    ['last_order_at', 'customers_by_last_order'],
    ['name_sorted', 'customers_by_name'],
    ['spent_cents', 'customers_by_spent'],
  ])('is read in the order of %s from an index', async (column, index) => {
    const { rows } = await orders.sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM customers ORDER BY ${column} DESC, account_id DESC LIMIT 10`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
  });
});
