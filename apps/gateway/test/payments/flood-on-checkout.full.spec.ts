import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { app, type PlacedOrder, Shop } from './shop.harness.js';

// An attack on PayPal Checkout: forged webhooks by the thousand from one address, while genuine ones arrive.

const forgeries = 10_000;
/** Few enough that the simulator sends all of these webhooks within the deadline of one call, even on a busy machine. */
const webhooksPerCall = 1_000;
const buyers = 30;

let shop: Shop;
let orders: PlacedOrder[];
/** The order whose payment attempt has the `token`, which the forger knows. */
let victim: PlacedOrder;
let token: string;

beforeAll(async () => {
  shop = await Shop.open({
    processes: ['orders'],
    product: 'checkout',
    settings: { LIMIT_NOTICES: '60/600', LIMIT_PAYMENTS: '1000/60', TRUSTED_PROXIES: '127.0.0.1' },
    ordersSettings: { NOTICE_BACKLOG: '500' },
  });
  orders = await Promise.all(Array.from({ length: buyers }, () => shop.placeOrder()));
  victim = orders[0]!;
  // The genuine webhooks are held until the test delivers them during the flood.
  for (const order of orders) {
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
    await shop.pay(order);
  }
  // Without inquiries, the shop learns of payments only from webhooks.
  await shop.sql.query('UPDATE payment_attempts SET inquire_at = NULL');
  const { rows } = await shop.sql.query<{ token: string }>(
    'SELECT token FROM payment_attempts WHERE order_id = $1',
    [victim.id],
  );
  token = rows[0]!.token;
});
afterAll(() => shop?.close());

/** Returns the number of answers by status. */
async function flood(count: number, customId: string): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (let sent = 0; sent < count; sent += webhooksPerCall) {
    const answers = await shop.paypal.floodWebhooks({
      ...{ url: shop.webhookUrl, webhookId: app.webhookId, count: webhooksPerCall, concurrency: 20 },
      headers: { 'x-forwarded-for': '198.51.100.7' },
      event: { resource: { id: 'MADEUP00000000001', status: 'COMPLETED', custom_id: customId } },
    });
    for (const [status, answered] of Object.entries(answers)) total[status] = (total[status] ?? 0) + answered;
  }
  return total;
}

async function deliver(order: PlacedOrder): Promise<(number | null)[]> {
  const [approval] = await shop.paypal.webhooks({ invoice: await shop.invoiceOf(order) });
  const [delivered] = await shop.paypal.deliver([approval!.id]);
  return delivered!.deliveries.map(({ status }) => status);
}

test('every genuine webhook is accepted at its first delivery and processed, and at most 20 forged ones about an order are kept', async () => {
  const [withStolenToken, withUnknownToken, ...deliveries] = await Promise.all([
    flood(forgeries / 2, token),
    flood(forgeries / 2, 'ffffffffffffffffffffffffffffffff'),
    ...orders.map(deliver),
  ]);
  expect(deliveries).toEqual(orders.map(() => [200]));
  for (const answers of [withStolenToken, withUnknownToken]) {
    expect(new Set(Object.keys(answers))).toEqual(new Set(['200', '429']));
    expect(Object.values(answers).reduce((sum, count) => sum + count, 0)).toBe(forgeries / 2);
  }
  for (const order of orders) {
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' }),
    );
    expect(await shop.payments(order)).toMatchObject([{ standing: 'Completed' }]);
  }
  await shop.settled();
  const kept = (await shop.decisions(victim)).filter(({ status }) => status === 'forged');
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(20);
  expect(await shop.storedOrder(victim)).toMatchObject({ paymentStatus: 'Paid', paymentState: 'paid' });
}, 300_000);
