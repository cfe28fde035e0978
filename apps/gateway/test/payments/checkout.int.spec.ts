import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { type Placed, price, Shop } from './shop.harness.js';

// PayPal Checkout: the paths of a buyer, and what PayPal may do meanwhile.

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({ product: 'checkout' });
});
afterAll(() => shop?.close());

async function expectPaidOnce(order: Placed): Promise<void> {
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      flags: [],
      payments: [{ state: 'received', amount: price }],
    }),
  );
  expect(await shop.payments(order)).toMatchObject([{ gross: price, standing: 'Completed' }]);
  expect(await shop.publishedEvents(order)).toEqual(['orders.paid']);
}

describe('a buyer who approves', () => {
  test('and returns before the webhook sees the payment at once', async () => {
    const order = await shop.placed();
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
    await shop.pay(order);
    expect(await shop.returned(order)).toBe('paid');
    await expectPaidOnce(order);
  });

  test('and closes the window has paid', async () => {
    const order = await shop.placed();
    await shop.pay(order);
    await shop.settled();
    await expectPaidOnce(order);
  });

  test('and closes the window has paid even if every webhook is lost', async () => {
    const order = await shop.placed();
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { drop: true });
    await shop.pay(order);
    await shop.sql.query('UPDATE payment_attempts SET inquire_at = now() WHERE order_id = $1', [order.id]);
    await expectPaidOnce(order);
  });

  test('in two tabs pays once', async () => {
    const order = await shop.placed();
    const [one, other] = await Promise.all([shop.checkoutReference(order), shop.checkoutReference(order)]);
    expect(one).toBe(other);
    await shop.paypal.approve(one);
    await Promise.all([shop.returned(order), shop.returned(order), shop.settled()]);
    await expectPaidOnce(order);
  });
});

test('a buyer who returns without approving can pay', async () => {
  const order = await shop.placed();
  await shop.checkoutReference(order);
  expect(await shop.returned(order)).toBe('unpaid');
  expect(await shop.returned(order)).toBe('unpaid');
  await shop.pay(order);
  await shop.settled();
  await expectPaidOnce(order);
});
