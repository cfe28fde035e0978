import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { price, Shop } from './shop.harness.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop?.close());

test('after the change to PayPal Checkout, payments of Payments Standard are still recorded but cannot be refunded on the site, and unpaid orders are paid with PayPal Checkout', async () => {
  const [paid, underWay, unpaid] = await Promise.all([
    shop.placeOrder(),
    shop.placeOrder(),
    shop.placeOrder(),
  ]);
  await shop.pay(paid);
  await shop.settled();
  const [payment] = await shop.payments(paid);
  const form = await shop.form(underWay);

  await shop.changeToCheckout();

  expect(await shop.storedOrder(paid)).toMatchObject({
    paymentStatus: 'Paid',
    paymentState: 'paid',
    flags: [],
  });
  await shop.paypal.refund(payment!.transactionId, '40.00');
  // The buyer had the form of Payments Standard open.
  await shop.paypal.pay(form);
  await shop.settled();
  expect(await shop.storedOrder(paid)).toMatchObject({
    paymentState: 'partially_refunded',
    refundedCents: 4000,
  });
  expect(await shop.storedOrder(underWay)).toMatchObject({ paymentStatus: 'Paid', flags: [] });

  await shop.pay(unpaid);
  expect(await shop.returnFromPayment(unpaid)).toBe('paid');
  expect(await shop.payments(unpaid)).toMatchObject([{ gross: price, standing: 'Completed' }]);

  // A payment of Payments Standard can be refunded only at PayPal.
  const admin = await shop.site.admin();
  expect((await admin.get(`/order/${paid.id}/refunds`)).json).toEqual({ refundable: [], refunds: [] });
  const body = { txnId: payment!.transactionId, amount: '1.00', reason: 'Sorry.' };
  const { status, json } = await admin.post<{ detail: string }>(`/order/${paid.id}/refund`, body);
  expect([status, json.detail]).toEqual([409, 'This payment can’t be refunded here.']);
});
