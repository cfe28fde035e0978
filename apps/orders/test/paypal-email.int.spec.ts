import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { type Actor, paypalEmailContract, setupContract } from '#libs/contracts';
import { actors } from '#libs/testing';
import type { OrdersConfig } from '../config.js';
import { ORDERS_CONFIG } from '../config.module.js';
import { DemoPaypalEmailSeeder } from '../payment/paypal/demo-paypal-email.seeder.js';
import { PaypalEmailService } from '../payment/paypal/paypal-email.service.js';
import { type OrdersUnderTest, startOrders } from './orders.harness.js';

const { admin, customer, visitor } = actors;

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders?.stop());
beforeEach(() => orders.sql.query('DELETE FROM paypal_email'));

const add = (paypalEmail: string, actor: Actor = admin, requestId: string = randomUUID()) =>
  orders.client.call(paypalEmailContract.createPaypalEmail, { paypalEmail }, { actor, requestId });
const update = (id: string, paypalEmail: string, ifVersion?: number, actor: Actor = admin) =>
  orders.client.call(paypalEmailContract.updatePaypalEmail, { id, paypalEmail, ifVersion }, { actor });
const list = (actor: Actor = customer) =>
  orders.client.call(paypalEmailContract.listPaypalEmail, {}, { actor });
const getPaypalEmail = (id: string, actor: Actor = customer) =>
  orders.client.call(paypalEmailContract.getPaypalEmail, { id }, { actor });

function currentAddress(): Promise<string | null> {
  const { app } = orders.replicas[0]!;
  const service = app.get(PaypalEmailService, { strict: false });
  return app.get(DataSource, { strict: false }).transaction((tx) => service.findAddress(tx));
}

test('the PayPal address does not exist at first, and is created once, even if admins race', async () => {
  expect([await list(), await currentAddress()]).toEqual([[], null]);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) => add(`shop${i}@example.com`)),
  );
  const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(added).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'SINGLETON_EXISTS' });
  }
  expect(await list()).toEqual(added);
  expect(await getPaypalEmail(added[0]!._id)).toEqual(added[0]);
  expect(await currentAddress()).toBe(added[0]!.paypalEmail);
});

test('the setup guide says whether the address is set, and whether it is an example', async () => {
  const step = () => orders.client.call(setupContract.paymentSetup, {}, { actor: admin });
  expect(await step()).toEqual({ state: 'missing', recordId: null });
  const { _id: recordId } = await add('shop@example.com');
  expect(await step()).toEqual({ state: 'demo', recordId });
  await update(recordId, 'money@summit-search.com');
  expect(await step()).toEqual({ state: 'done', recordId });
});

test('a repeated request gets the first answer, and is refused only if it names another address', async () => {
  const requestId = randomUUID();
  const first = await add('shop@example.com', admin, requestId);
  expect(await add('shop@example.com', admin, requestId)).toEqual(first);
  await expect(add('other@example.com', admin, requestId)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
});

test('an update of the PayPal address is refused if it names an outdated version or an unknown id', async () => {
  const { _id } = await add('shop@example.com');
  expect(await update(_id, 'shop@example.com')).toMatchObject({ modified: false, record: { version: 1 } });
  const changed = await update(_id, 'new@example.com', 1);
  expect(changed).toMatchObject({ modified: true, record: { paypalEmail: 'new@example.com', version: 2 } });
  await expect(update(_id, 'newer@example.com', 1)).rejects.toMatchObject({
    code: 'VERSION_MISMATCH',
    details: { current: changed.record },
  });
  expect(await currentAddress()).toBe('new@example.com');
  for (const id of [randomUUID(), 'x', '']) {
    await expect(update(id, 'x@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(getPaypalEmail(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test.each(['', 'shop', 'a@b', `${'a'.repeat(120)}@example.com`, 7, ['a@example.com']])(
  'the PayPal address cannot be %j',
  async (value) => {
    await expect(add(value as string)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { fields: [{ field: 'paypalEmail' }] },
    });
  },
);

test('only admins can set the PayPal address, and only people who have signed in can read it', async () => {
  await expect(add('eve@example.com', customer)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(add('eve@example.com', visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(list(visitor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { _id } = await add('shop@example.com');
  await expect(update(_id, 'eve@example.com', undefined, customer)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await list()).toHaveLength(1);
});

test.each([
  ['a demo site that simulates payments has a PayPal address', 'demo', 'simulator', 1],
  ['another site that simulates payments has no PayPal address', 'none', 'simulator', 0],
  ['a demo site that uses the sandbox has no PayPal address', 'demo', 'sandbox', 0],
  ['a demo site that takes money has no PayPal address', 'demo', 'live', 0],
] as const)('%s when it starts', async (_, SEED, PAYPAL_MODE, expected) => {
  const { app } = orders.replicas[0]!;
  const config = { ...app.get<OrdersConfig>(ORDERS_CONFIG, { strict: false }), SEED, PAYPAL_MODE };
  const seeder = new DemoPaypalEmailSeeder(app.get(PaypalEmailService, { strict: false }), config);
  await Promise.all([seeder.onApplicationBootstrap(), seeder.onApplicationBootstrap()]);
  expect(await list()).toHaveLength(expected);
});

test('a demo site keeps the address that an admin has set', async () => {
  await add('ours@example.com');
  const { app } = orders.replicas[0]!;
  const config = { ...app.get<OrdersConfig>(ORDERS_CONFIG, { strict: false }), SEED: 'demo' as const };
  await new DemoPaypalEmailSeeder(
    app.get(PaypalEmailService, { strict: false }),
    config,
  ).onApplicationBootstrap();
  expect(await list()).toMatchObject([{ paypalEmail: 'ours@example.com' }]);
});

test('setting and changing the PayPal address are announced, with the admin who did so; saving the same address is not', async () => {
  const before = await announced();
  const { _id } = await add('shop@example.com');
  await update(_id, 'shop@example.com');
  await update(_id, 'other@example.com');
  expect((await announced()).slice(before.length)).toEqual([
    { receiver: 'shop@example.com', formerReceiver: null, by: admin.email },
    { receiver: 'other@example.com', formerReceiver: 'shop@example.com', by: admin.email },
  ]);
});

async function announced(): Promise<unknown[]> {
  const { rows } = await orders.sql.query<{ payload: unknown }>(
    `SELECT payload FROM outbox_messages WHERE event = 'payments.receiverChanged' ORDER BY id`,
  );
  return rows.map(({ payload }) => payload);
}
