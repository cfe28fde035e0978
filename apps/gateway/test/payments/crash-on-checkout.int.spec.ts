import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type OrderRefunds, paymentContract } from '#libs/contracts';
import { eventually, fullTest } from '#libs/testing';
import { RpcClient } from '#libs/transport';
import { PayPalSimulator } from '../../../../dev/stand-ins/paypal/client.js';
import type { ApiOperation } from '../../../../dev/stand-ins/paypal/model.js';
import { openSimulator } from '../../../../dev/stand-ins/paypal/server.js';
import { accountIdOf } from '../site.harness.js';
import { app, type PlacedOrder, price, Shop, shopAddress } from './shop.harness.js';

// With PayPal Checkout: processes are killed between two steps, connections break, or PayPal is slow. For Payments Standard, see crash.full.spec.ts.

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({
    product: 'checkout',
    processes: ['orders'],
    ordersSettings: { PAYPAL_TIMEOUT_MS: '60000' },
  });
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

/** Kills the orders service once `expectReached` succeeds. Starts it again with a PayPal that behaves. `call` may end at any time, and may fail. */
async function killDuring(call: Promise<unknown>, expectReached: () => Promise<void>): Promise<void> {
  const ended = call.catch(() => undefined);
  await eventually(expectReached);
  await shop.site.orders.at(-1)!.kill();
  await shop.paypal.behave();
  await shop.site.startOrders();
  await ended;
}

/** PayPal carries out the next call of this operation for the order, but does not answer it. */
async function hang(order: PlacedOrder, operation: ApiOperation): Promise<void> {
  const match = { invoice: await shop.invoiceOf(order) };
  await shop.paypal.misbehaveApi({ operation, mode: 'timeout', match, times: 1 });
}

/** Until `behave` is called, PayPal holds all new webhooks about the order: the one about the approval would make us capture the payment. */
async function approvedOrder(): Promise<PlacedOrder> {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
  await shop.pay(order);
  return order;
}

/** PayPal’s id of the order that it has created for the newest attempt. Fails if there is none yet. */
async function createdReference({ id }: PlacedOrder): Promise<string> {
  const { rows } = await shop.sql.query<{ id: string }>(
    'SELECT id FROM payment_attempts WHERE order_id = $1 ORDER BY id DESC LIMIT 1',
    [id],
  );
  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${shop.paypal.url}${path}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { access_token: string; id: string };
  };
  const basic = Buffer.from(`${app.clientId}:${app.secret}`).toString('base64');
  const form = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const { access_token: token } = await post('/v1/oauth2/token', form, 'grant_type=client_credentials');
  // A request id that PayPal knows gets the first answer again. With any other id, this request is refused and creates nothing.
  const repeated = { 'paypal-request-id': rows[0]!.id, 'content-type': 'application/json' };
  return (await post('/v2/checkout/orders', { ...repeated, authorization: `Bearer ${token}` }, '{}')).id;
}

const expectCaptured = async (order: PlacedOrder) => expect(await shop.payments(order)).toHaveLength(1);

async function expectPaidOnce(order: PlacedOrder): Promise<void> {
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] }),
  );
  expect(await shop.payments(order)).toMatchObject([{ gross: price, standing: 'Completed' }]);
  expect(await shop.paymentEvents(order)).toEqual(['COMPLETED']);
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
}

/** A second click continues the attempt of the first one. */
async function expectContinued(order: PlacedOrder): Promise<void> {
  await shop.pay(order);
  await shop.settled();
  await expectPaidOnce(order);
  expect((await shop.timeline(order)).filter(({ kind }) => kind === 'attempt_started')).toHaveLength(1);
}

fullTest('a kill after the attempt is stored: a second click continues the same attempt', async () => {
  const order = await shop.placeOrder();
  await shop.paypal.revokeTokens();
  await shop.paypal.misbehaveApi({ operation: 'token', mode: 'timeout', times: 1 });
  await killDuring(shop.payNow(order), async () =>
    expect(await shop.timeline(order)).toMatchObject([{ kind: 'attempt_started' }]),
  );
  await expectContinued(order);
});

test('a kill after PayPal has created an order: a second click continues the same attempt, with the same PayPal order', async () => {
  const order = await shop.placeOrder();
  await hang(order, 'orders.create');
  await killDuring(shop.payNow(order), async () => void (await createdReference(order)));
  const created = await createdReference(order);
  expect(await shop.checkoutReference(order)).toBe(created);
  await expectContinued(order);
});

test('a kill after the capture and before our commit: an inquiry finds the payment', async () => {
  const order = await approvedOrder();
  await hang(order, 'orders.capture');
  await killDuring(order.customer.post(`/order/${order.id}/payment-return`, {}), () => expectCaptured(order));
  await shop.inquireNow(order);
  await expectPaidOnce(order);
});

fullTest('a kill while an acknowledged webhook is processed: the order is paid once', async () => {
  const order = await approvedOrder();
  const [approval] = await shop.paypal.webhooks({ invoice: await shop.invoiceOf(order) });
  await hang(order, 'orders.capture');
  await killDuring(shop.paypal.deliver([approval!.id]), () => expectCaptured(order));
  await shop.settled();
  await expectPaidOnce(order);
});

test('a kill after PayPal has refunded and before our commit: the buyer gets the money once', async () => {
  const order = await approvedOrder();
  expect(await shop.returnFromPayment(order)).toBe('paid');
  const [payment] = await shop.payments(order);
  const admin = await shop.site.admin();
  await hang(order, 'captures.refund');
  const body = { txnId: payment!.transactionId, amount: '90.00', reason: 'Sorry.' };
  await killDuring(admin.post(`/order/${order.id}/refund`, body), async () =>
    expect(await shop.payments(order)).toMatchObject([{ refunded: '90.00' }]),
  );
  await eventually(async () => {
    const { json } = await admin.get<OrderRefunds>(`/order/${order.id}/refunds`);
    expect(json.refunds).toMatchObject([{ state: 'accepted' }]);
  });
  expect(await shop.payments(order)).toMatchObject([{ refunded: '90.00' }]);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 9_000 });
});

test('Postgres cuts every connection after the capture and before our commit: the order is paid once', async () => {
  const order = await approvedOrder();
  const match = { invoice: await shop.invoiceOf(order) };
  const slow = { operation: 'orders.capture', mode: 'slow', delayMs: 1_000 } as const;
  await shop.paypal.misbehaveApi({ ...slow, match, times: 1 });
  const returning = order.customer.post(`/order/${order.id}/payment-return`, {});
  await eventually(() => expectCaptured(order));
  await shop.sql.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await returning;
  await shop.inquireNow(order);
  await expectPaidOnce(order);
});

fullTest(
  'PayPal is slow at each call: the buyer does not wait for all of them, and the order is paid once',
  async () => {
    const order = await approvedOrder();
    const match = { invoice: await shop.invoiceOf(order) };
    for (const operation of ['orders.get', 'orders.capture'] as const)
      await shop.paypal.misbehaveApi({ operation, mode: 'slow', delayMs: 2_000, match, times: 1 });
    const { customer } = order;
    const person = { accountId: accountIdOf(customer), email: customer.email!, emailVerified: false };
    const actor = { role: 'customer', ...person, sessionId: 'a-session' } as const;
    // Like the gateway's client, but with a shorter deadline.
    const client = new RpcClient({ redisUrl: shop.site.redis.url, caller: 'test', deadlineMs: 3_500 });
    await client.connect();
    try {
      const answer = await client.call(paymentContract.returnFromPayment, { id: order.id }, { actor });
      expect(answer).toEqual({ outlook: 'confirming' });
    } finally {
      await client.close();
    }
    await expectPaidOnce(order);
  },
);

test('Redis is gone: the money is taken nevertheless', async () => {
  const order = await approvedOrder();
  await shop.site.redis.kill();
  await shop.inquireNow(order);
  await expectPaidOnce(order);
  await shop.site.redis.restartEmpty();
});

// Last, because the orders service talks to another simulator from then on.
fullTest(
  'PayPal itself is killed after the capture, and starts again with what it had saved: the order is paid once',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paypal-simulator-'));
    const [file, saved] = [join(folder, 'paypal.json'), join(folder, 'saved.json')];
    let running = await openSimulator({ file, clock: 'frozen' });
    try {
      const paypal = PayPalSimulator.at(running.url);
      await paypal.setUpApp({ ...app, email: shopAddress });
      await shop.site.orders.at(-1)!.kill();
      await shop.site.startOrders({ PAYPAL_SIMULATOR_URL: running.url, PAYPAL_TIMEOUT_MS: '2000' });
      const order = await shop.placeOrder();
      const reference = await shop.checkoutReference(order);
      await paypal.approveOrder(reference);
      await paypal.misbehaveApi({ operation: 'orders.capture', mode: 'timeout', times: 1 });
      const returning = order.customer.post(`/order/${order.id}/payment-return`, {});
      await eventually(async () =>
        expect((await paypal.ledger({ orderId: reference })).payments).toHaveLength(1),
      );
      await copyFile(file, saved);
      await running.stop();
      // As after a kill: whatever `stop` has saved is lost.
      await copyFile(saved, file);
      // The outcome is the same whether or not `stop` has sent the answer to the capture.
      await returning;
      running = await openSimulator({ file, clock: 'frozen', port: Number(new URL(running.url).port) });
      await shop.inquireNow(order);
      await eventually(async () =>
        expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] }),
      );
      expect((await paypal.ledger({ orderId: reference })).payments).toMatchObject([{ gross: price }]);
      expect(await shop.paymentEvents(order)).toEqual(['COMPLETED']);
    } finally {
      await running.stop();
      await rm(folder, { recursive: true });
    }
  },
);
