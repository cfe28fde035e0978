import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { eventually } from '#libs/testing';
import { type PlacedOrder, Shop } from './shop.harness.js';

// Processes are killed while they process payments by Payments Standard. For PayPal Checkout, see crash-on-checkout.int.spec.ts.

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({ processes: ['orders'], ordersSettings: { PAYPAL_TIMEOUT_MS: '60000' } });
});
afterAll(() => shop?.close());

const killOrders = () => shop.site.orders.at(-1)!.kill();

async function expectPaidOnce(order: PlacedOrder): Promise<void> {
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' }),
  );
  expect(await shop.storedOrder(order)).toMatchObject({ version: 2, flags: [] });
  expect(await shop.paymentEvents(order)).toEqual(['Completed']);
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
  expect((await shop.timeline(order)).filter(({ kind }) => kind === 'payment')).toHaveLength(1);
}

async function paidEventsInStream({ id }: PlacedOrder): Promise<string[]> {
  const redis = createClient({ url: shop.site.redis.url });
  await redis.connect();
  const entries = await redis.xRange('{orders}:events', '-', '+');
  redis.destroy();
  const texts = (entries ?? []).map(({ message }) => JSON.stringify(message));
  return texts.filter((text) => text.includes('orders.paid') && text.includes(id));
}

describe('kill -9', () => {
  test('after a notification was answered with 200 and before PayPal’s verdict: it is processed after the restart, exactly once', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.setPostbackMode('timeout', { match: { invoice: order.id } });
    await shop.paypal.pay(await shop.form(order));
    await shop.paypal.waitUntilIdle();
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    expect(notification!.deliveries).toMatchObject([{ status: 200 }]);
    // The notification is being processed: PayPal has been asked, and does not answer.
    await eventually(async () =>
      expect((await shop.paypal.postbacks()).some(({ body }) => body === notification!.body)).toBe(true),
    );
    await killOrders();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid' });
    await shop.paypal.behave({ invoice: order.id });
    await shop.site.startOrders();
    await expectPaidOnce(order);
    expect(await shop.decisions(order)).toMatchObject([{ status: 'recorded', receipts: 1 }]);
  });

  test('after the payment is committed and before its event is published: the event is published after the restart, exactly once', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.setPostbackMode('error', { match: { invoice: order.id } });
    await shop.paypal.pay(await shop.form(order));
    await shop.paypal.waitUntilIdle();
    // Without Redis no event can be published, but stored notifications are still processed.
    await shop.site.redis.kill();
    await shop.paypal.behave({ invoice: order.id });
    await expectPaidOnce(order);
    await killOrders();
    await shop.site.redis.restartEmpty();
    expect(await paidEventsInStream(order)).toEqual([]);
    await shop.site.startOrders();
    await eventually(async () => expect(await paidEventsInStream(order)).toHaveLength(1));
    await expectPaidOnce(order);
  });

  test('of one of two processes, and a stop of the other: a new process finishes their work, exactly once', async () => {
    const second = await shop.site.startOrders();
    const placedOrders = await Promise.all(Array.from({ length: 6 }, () => shop.placeOrder()));
    for (const { id } of placedOrders)
      await shop.paypal.setPostbackMode('timeout', { match: { invoice: id }, times: 1 });
    for (const order of placedOrders) await shop.paypal.pay(await shop.form(order));
    await shop.paypal.waitUntilIdle();
    await eventually(async () => {
      const bodies = (await shop.paypal.postbacks()).map(({ body }) => body);
      for (const { id } of placedOrders) expect(bodies.some((body) => body.includes(id))).toBe(true);
    });
    // Either process may have begun to process the notifications, so both end: the older one is killed, and the newer one is stopped.
    const first = shop.site.orders.find(
      (replica) =>
        replica !== second && replica.process!.child.exitCode === null && !replica.process!.child.killed,
    )!;
    await first.kill();
    await second.stop();
    expect(await second.process!.exited).toBe(0);
    await shop.site.startOrders();
    for (const order of placedOrders) await expectPaidOnce(order);
  });
});
