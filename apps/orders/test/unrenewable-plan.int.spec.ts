import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  orderContract,
  paymentContract,
  paypalEmailContract,
  planSubscriptionContract,
} from '#libs/contracts';
import { actors } from '#libs/testing';
import { type OrdersUnderTest, startOrders } from './orders.harness.js';

// In this test, buyers pay with PayPal Payments Standard, which has no monthly plans. The simulator always has them, so it is not used.

const { admin, customer } = actors;

let orders: OrdersUnderTest;

beforeAll(async () => {
  orders = await startOrders({ PAYPAL_MODE: 'sandbox' });
  await orders.client.call(
    paypalEmailContract.createPaypalEmail,
    { paypalEmail: 'shop@example.com' },
    { actor: admin },
  );
  await orders.sql.query(
    `INSERT INTO packages (id, name, price, deleted, site_version) VALUES ($1, 'Basic', '290.00', false, 1)`,
    [randomUUID()],
  );
});
afterAll(() => orders?.stop());

test('where monthly plans are not available, an order of a plan can be paid for one month, and no longer promises to renew', async () => {
  const { client } = orders;
  const options = { actor: customer };
  expect(await client.call(planSubscriptionContract.getRenewalOffer, {}, options)).toEqual({
    available: false,
  });
  const placed = await orders.place({ renews: true });
  expect(placed).toMatchObject({ renewal: { cycle: 1, subscriptionId: null }, payable: true });
  const { fields } = await client.call(paymentContract.startPayment, { id: placed._id }, options);
  expect(fields).toContainEqual({ name: 'amount', value: '290.00' });
  const order = await client.call(orderContract.getOrder, { id: placed._id }, options);
  expect(order).toMatchObject({ renewal: null, payable: true, version: placed.version + 1 });
  expect(Date.parse(order.updatedAt)).toBeGreaterThan(Date.parse(placed.updatedAt));
  const timeline = await client.call(orderContract.getOrderTimeline, { id: placed._id }, options);
  expect(timeline.at(-1)).toMatchObject({
    kind: 'attempt_started',
    text: 'A payment for one month was started, because monthly plans aren’t available at the moment.',
  });
});
