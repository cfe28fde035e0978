import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contentChanged, orderContract, system } from '#libs/contracts';
import { actors, eventually } from '#libs/testing';
import { ContentFollower } from '#libs/transport';
import { PackageRepository } from '../package/package.repository.js';
import { orderBody, type OrdersUnderTest, startOrders } from './orders.harness.js';

const { admin, customer, visitor } = actors;

let orders: OrdersUnderTest;
let basicId: string;

beforeAll(async () => {
  orders = await startOrders();
  await orders.startContent();
  basicId = (await orders.offer('Basic', '290.00'))._id;
  await orders.waitForPackages({ Basic: '290.00' });
});
afterAll(() => orders?.stop());
beforeEach(() => orders.sql.query('DELETE FROM orders'));

const count = async () => (await orders.sql.query('SELECT 1 FROM orders')).rowCount;
const today = () => new Date().toISOString().slice(0, 10);

describe('an order', () => {
  test('is placed at the price of the package, unpaid and pending, with an event', async () => {
    const order = await orders.place({
      packagePrice: '290',
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
    });
    const [year, month, day] = today().split('-');
    expect(order).toEqual({
      _id: expect.any(String),
      number: expect.any(Number),
      accountId: customer.accountId,
      ...orderBody,
      orderDate: `${month}/${day}/${year}`,
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
      paymentState: 'unpaid',
      payments: [],
      refunded: '0.00',
      disputed: '0.00',
      paidTwice: false,
      cancelledBy: null,
      seller: null,
      renewal: null,
      ...{ addedTax: '0.00', addedTaxRate: '0', billingDetails: null },
      paymentHold: null,
      payable: true,
      flags: [],
      createdAt: expect.any(String),
      updatedAt: order.createdAt,
      version: 1,
    });
    const id = order._id;
    expect(await orders.client.call(orderContract.getOrder, { id }, { actor: customer })).toEqual(order);
    expect(await orders.client.call(orderContract.getOrderTimeline, { id }, { actor: admin })).toEqual([
      {
        _id: expect.any(String),
        at: order.createdAt,
        kind: 'placed',
        text: 'The order was placed.',
        by: customer.email,
        evidence: { packageName: 'Basic', packagePrice: '290.00' },
      },
    ]);
    await eventually(() =>
      expect(orders.events).toContainEqual({
        event: 'orders.placed',
        orderId: id,
        accountId: customer.accountId,
        version: 1,
        eventId: expect.any(String),
      }),
    );
  });

  test('has a unique number, which is greater than those of earlier orders', async () => {
    const first = await orders.place();
    const parallel = await Promise.all(Array.from({ length: 200 }, () => orders.place()));
    const last = await orders.place();
    const all = [first, ...parallel, last].map(({ number }) => number!);
    expect(new Set(all).size).toBe(202);
    expect([Math.min(...all), Math.max(...all)]).toEqual([first.number, last.number]);
    expect(first.number).toBeGreaterThan(1000);
    const { rows } = await orders.sql.query<{ id: string; number: number }>(
      'SELECT id, number::int FROM orders ORDER BY number',
    );
    const placed = [first, ...parallel, last].sort((a, b) => a.number! - b.number!);
    expect(rows).toEqual(placed.map(({ _id: id, number }) => ({ id, number })));
  });

  test('keeps the version of the terms that the customer accepted', async () => {
    const { _id: id } = await orders.place({ termsVersion: 7 });
    expect(await orders.client.call(orderContract.getOrderTimeline, { id }, { actor: admin })).toMatchObject([
      {
        text: 'The order was placed, and version 7 of the terms was accepted.',
        evidence: { packageName: 'Basic', packagePrice: '290.00', termsVersion: 7 },
      },
    ]);
  });

  test('sent thirty times with one request id is placed once, with equal answers; the same id with another body is refused', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => orders.place({}, customer, requestId)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await count()).toBe(1);
    await expect(orders.place({ customerName: 'Eve' }, customer, requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await expect(orders.place({ packagePrice: '1.00' }, customer, requestId)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    await eventually(() => {
      const published = orders.events.filter((event) => event.orderId === answers[0]!._id);
      expect(published.map(({ event }) => event)).toEqual(['orders.placed']);
    });
  });

  test.each<[string, unknown]>([
    ['packageName', ''],
    ['packageName', undefined],
    ['packageName', ['Basic']],
    ['packagePrice', '-290'],
    ['packagePrice', '290.001'],
    ['packagePrice', '2e2'],
    ['packagePrice', 290],
    ['packagePrice', ''],
    ['customerEmail', 'nobody'],
    ['customerName', ' '],
    ['customerName', 'Ada\r\nBcc: eve@example.com'],
    ['customerName', 'x'.repeat(301)],
    ['customerAddress', ''],
    ['customerAddress', 'a\0b'],
    ['customerCountry', { $ne: null }],
    ['customerCountry', undefined],
    ['paymentStatus', 'Paid'],
    ['paymentStatus', 'Cancelled'],
    ['orderStatus', 'Delivered'],
    ['orderDate', '2026-11-21'],
    ['orderDate', 20261121],
    ['accountId', randomUUID()],
    ['_id', randomUUID()],
  ])('with %s of %j is refused', async (field, value) => {
    await expect(orders.place({ [field]: value })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field }] },
    });
    expect(await count()).toBe(0);
  });

  test('must have the e-mail address of the account that places it, in any letter case', async () => {
    await expect(orders.place({ customerEmail: 'other@example.com' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(orders.place({ customerEmail: customer.email }, admin)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(orders.place({}, visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(orders.place({ customerEmail: customer.email }, system)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await count()).toBe(0);
    const order = await orders.place({ customerEmail: customer.email.toUpperCase() });
    expect(order.customerEmail).toBe(customer.email);
  });

  test.each([
    ['another price', { packagePrice: '289.99' }, { packageName: 'Basic', packagePrice: '290.00' }],
    ['an unknown package', { packageName: 'Platinum' }, null],
    ['a package name in another letter case', { packageName: 'basic' }, null],
  ])('for %s is refused, with the current offer if there is one', async (_what, body, current) => {
    await expect(orders.place(body)).rejects.toMatchObject({ code: 'PRICE_CHANGED', details: { current } });
    expect(await count()).toBe(0);
  });
});

describe('packages', () => {
  test('have a new price from the next order on, and earlier orders keep the old one', async () => {
    const requestId = randomUUID();
    const before = await orders.place({}, customer, requestId);
    await orders.reprice(basicId, '310.5');
    // The new price is accepted immediately, even if the event has not arrived yet.
    const after = await orders.place({ packagePrice: '310.50' });
    expect(after.packagePrice).toBe('310.5');
    await expect(orders.place({ packagePrice: '290.00' })).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: { current: { packageName: 'Basic', packagePrice: '310.5' } },
    });
    expect(await orders.place({}, customer, requestId)).toEqual(before);
    const id = before._id;
    expect((await orders.client.call(orderContract.getOrder, { id }, { actor: customer })).packagePrice).toBe(
      '290.00',
    );
    await orders.reprice(basicId, '290.00');
    await orders.waitForPackages({ Basic: '290.00' });
  });

  test('are sold while content is down, and a wrong price is still refused', async () => {
    const { _id } = await orders.offer('Premium', '990.00');
    await orders.waitForPackages({ Basic: '290.00', Premium: '990.00' });
    await orders.stopContent();
    const placed = await orders.place({ packageName: 'Premium', packagePrice: '990.00' });
    expect(placed.packageName).toBe('Premium');
    await expect(orders.place({ packagePrice: '1.00' })).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: { current: { packagePrice: '290.00' } },
    });
    await orders.startContent();
    await orders.withdrawPackage(_id);
    await orders.waitForPackages({ Basic: '290.00' });
    await expect(orders.place({ packageName: 'Premium', packagePrice: '990.00' })).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      details: { current: null },
    });
  });

  test('about which no event has arrived are requested from content', async () => {
    const { _id } = await orders.offer('Premium', '990.00');
    await orders.waitForPackages({ Basic: '290.00', Premium: '990.00' });
    // A replica requests all packages only if the version of the content has changed since its last request. The new package has changed it.
    await orders.sql.query('DELETE FROM packages');
    expect((await orders.place()).packagePrice).toBe('290.00');
    await orders.withdrawPackage(_id);
    await orders.waitForPackages({ Basic: '290.00' });
  });

  test('have the newest state from content, in whatever sequence its events arrive', async () => {
    const { app } = orders.replicas[0]!;
    const follower = app.get(ContentFollower, { strict: false });
    const packages = app.get(PackageRepository, { strict: false });
    const id = randomUUID();
    const moment = new Date().toISOString();
    const eventOf = (change: 'created' | 'updated' | 'deleted', siteVersion: number, packagePrice: string) =>
      contentChanged.payload.parse({
        section: 'pricingPackage',
        id,
        change,
        recordVersion: siteVersion,
        siteVersion,
        record:
          change === 'deleted'
            ? null
            : {
                _id: id,
                createdAt: moment,
                updatedAt: moment,
                version: 1,
                packageName: 'Rare',
                packagePrice,
              },
      });
    const events = [
      eventOf('created', 1001, '1.00'),
      eventOf('updated', 1002, '2.00'),
      eventOf('updated', 1003, '3.00'),
    ];
    for (const sequence of [
      [2, 0, 1],
      [2, 2, 1, 0],
    ]) {
      await orders.sql.query(`DELETE FROM packages WHERE name = 'Rare'`);
      for (const index of sequence) await follower.apply(events[index]!);
      expect(await packages.find('Rare')).toEqual({ name: 'Rare', price: '3.00' });
    }
    await follower.apply(eventOf('deleted', 1005, ''));
    await follower.apply(eventOf('updated', 1004, '4.00'));
    expect(await packages.find('Rare')).toBeUndefined();
    // A snapshot deletes the packages that it does not contain, unless they are newer than the snapshot.
    await follower.apply({ ...eventOf('created', 1010, '5.00'), id: randomUUID() });
    await follower.applySnapshot({ version: 1009, sections: {}, imageTexts: {}, removedAt: {} });
    expect(await packages.find('Rare')).toMatchObject({ price: '5.00' });
    await follower.applySnapshot({ version: 1011, sections: {}, imageTexts: {}, removedAt: {} });
    expect(await packages.find('Rare')).toBeUndefined();
  });
});
