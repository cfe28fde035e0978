import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { price, Shop, shopAddress } from './shop.harness.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop?.close());

describe('paying', () => {
  test('by card makes the order Paid, and publishes one event', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.pay(await shop.form(order), { with: 'card' });
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      flags: [],
      payments: [{ state: 'received', amount: price, refunded: '0.00' }],
    });
    expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
    expect((await shop.timeline(order)).map(({ kind }) => kind)).toEqual(['attempt_started', 'payment']);
    expect(await shop.returnFromPayment(order)).toBe('paid');
  });

  test('starts with a form that has exactly these fields', async () => {
    const order = await shop.placeOrder();
    expect((await shop.payNow(order)).json.action).toBe(`${shop.paypal.url}/cgi-bin/webscr`);
    // `shop.form` changes `notify_url`, so its value is not compared.
    expect({ ...(await shop.form(order)), notify_url: '' }).toEqual({
      cmd: '_xclick',
      business: shopAddress,
      item_name: 'Premium',
      item_number: '1',
      amount: price,
      currency_code: 'USD',
      tax: '0.00',
      shipping: '0.00',
      no_shipping: '1',
      notify_url: '',
      return: `http://site.test/received-payment/${order.id}`,
      cancel_return: `http://site.test/order-cancelled/${order.id}`,
      rm: '1',
      invoice: order.id,
      custom: expect.stringMatching(/^[0-9a-f]{32}$/),
      charset: 'utf-8',
    });
  });
});
