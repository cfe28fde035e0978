import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderRefunds } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import type { Problem } from '../../problem/problem.js';
import { accountIdOf } from '../site.harness.js';
import { type PlacedOrder, price, Shop, shopAddress } from './shop.harness.js';

const formOfAnotherSystem = { item_name: 'Something else', amount: '5.00', currency_code: 'USD' };

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({ product: 'checkout' });
});
afterAll(() => shop?.close());

async function expectPaidOnce(order: PlacedOrder): Promise<void> {
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      flags: [],
      payments: [{ state: 'received', amount: price }],
    }),
  );
  expect(await shop.payments(order)).toMatchObject([{ gross: price, standing: 'Completed' }]);
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
}

describe('a buyer who approves', () => {
  test('and returns before the webhook arrives is told immediately that the order is paid', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
    await shop.pay(order);
    expect(await shop.returnFromPayment(order)).toBe('paid');
    await expectPaidOnce(order);
  });

  test('and closes the window has paid', async () => {
    const order = await shop.placeOrder();
    await shop.pay(order);
    await shop.settled();
    await expectPaidOnce(order);
  });

  test('and closes the window has paid even if every webhook is lost', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { drop: true });
    await shop.pay(order);
    await shop.inquireNow(order);
    await expectPaidOnce(order);
  });

  test('after opening the checkout in two tabs pays once', async () => {
    const order = await shop.placeOrder();
    const [first, second] = await Promise.all([shop.checkoutReference(order), shop.checkoutReference(order)]);
    expect(second).toBe(first);
    await shop.paypal.approveOrder(first);
    await Promise.all([shop.returnFromPayment(order), shop.returnFromPayment(order), shop.settled()]);
    await expectPaidOnce(order);
  });
});

describe('refunds', () => {
  async function paidOrder(
    customer = shop.customer,
  ): Promise<{ order: PlacedOrder; txnId: string; admin: Session }> {
    const order = await shop.placeOrderBy(customer);
    await shop.pay(order);
    expect(await shop.returnFromPayment(order)).toBe('paid');
    const [payment] = await shop.payments(order);
    return { order, txnId: payment!.transactionId, admin: await shop.site.admin() };
  }

  const refundsOf = async (admin: Session, { id }: PlacedOrder) =>
    (await admin.get<OrderRefunds>(`/order/${id}/refunds`)).json;

  async function expectAccepted(admin: Session, order: PlacedOrder, count: number): Promise<void> {
    await eventually(async () => {
      const { refunds } = await refundsOf(admin, order);
      expect(refunds.map(({ state }) => state)).toEqual(Array<string>(count).fill('accepted'));
    });
  }

  test('leave out what the buyer disputes, and what a lost dispute has taken', async () => {
    const { order, txnId, admin } = await paidOrder();
    const refund = (amount: string) =>
      admin.post<{ detail: string }>(`/order/${order.id}/refund`, { txnId, amount, reason: 'Sorry.' });
    const refundable = async () => (await refundsOf(admin, order)).refundable;
    await shop.paypal.dispute(txnId, 'opened', '100.00');
    await shop.settled();
    await eventually(async () => expect(await refundable()).toEqual([{ txnId, amount: '190.00' }]));
    const { status, json } = await refund(price);
    expect([status, json.detail]).toEqual([409, 'At most $190.00 of this payment can be refunded.']);
    // While the dispute is open, PayPal itself refuses to refund a part.
    expect((await refund('190.00')).status).toBe(201);
    await eventually(async () =>
      expect((await refundsOf(admin, order)).refunds).toMatchObject([
        { state: 'refused', problem: expect.stringContaining('TRANSACTION_DISPUTED') },
      ]),
    );
    await shop.paypal.dispute(txnId, 'lost');
    await shop.settled();
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 10_000 }),
    );
    expect(await refundable()).toEqual([{ txnId, amount: '190.00' }]);
    expect((await refund('190.00')).status).toBe(201);
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({
        paymentState: 'refunded',
        refundedCents: 29_000,
      }),
    );
    expect(await shop.payments(order)).toMatchObject([{ refunded: price, standing: 'Refunded' }]);
  });

  test('are made even if the customer deletes their account while PayPal does not answer', async () => {
    const customer = await shop.site.customer();
    const { order, txnId, admin } = await paidOrder(customer);
    await shop.paypal.misbehaveApi({ operation: 'captures.refund', mode: 'error' });
    const refund = { txnId, amount: price, reason: 'As agreed with Ada.' };
    expect((await admin.post(`/order/${order.id}/refund`, refund)).status).toBe(201);
    const deletion = { currentPassword: 'correct horse battery' };
    expect((await customer.post('/auth/delete-account', deletion)).status).toBe(200);
    await eventually(async () => {
      const query = 'SELECT reason FROM payment_refunds WHERE order_id = $1';
      expect((await shop.sql.query(query, [order.id])).rows).toEqual([{ reason: '' }]);
    });
    await shop.paypal.behave();
    await expectAccepted(admin, order, 1);
  });

  test('of a part, and then of the rest, agree with PayPal’s books to the cent', async () => {
    const { order, txnId, admin } = await paidOrder();
    expect(await refundsOf(admin, order)).toEqual({ refundable: [{ txnId, amount: price }], refunds: [] });
    const part = { txnId, amount: '49.99', reason: 'One week was not delivered.' };
    expect((await admin.post(`/order/${order.id}/refund`, part)).status).toBe(201);
    await expectAccepted(admin, order, 1);
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'Paid', paymentState: 'partially_refunded', refundedCents: 4999 },
    });
    const { refundable } = await refundsOf(admin, order);
    expect(refundable).toEqual([{ txnId, amount: '240.01' }]);
    await admin.post(`/order/${order.id}/refund`, { ...refundable[0], reason: 'The customer left.' });
    await expectAccepted(admin, order, 2);
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'Cancelled', paymentState: 'refunded', refundedCents: 29000 },
    });
    expect(await shop.payments(order)).toMatchObject([{ refunded: price, standing: 'Refunded' }]);
    const texts = (await shop.timeline(order)).map(({ text }) => text);
    expect(texts).toContain('We asked PayPal to refund 49.99 USD: One week was not delivered.');
    expect(texts).toContain('49.99 USD was refunded to the customer through PayPal.');
    const { rows: asked } = await shop.sql.query(
      `SELECT by_account AS by FROM order_timeline WHERE order_id = $1 AND text LIKE 'We asked PayPal%'`,
      [order.id],
    );
    const by = accountIdOf(admin);
    expect(asked).toEqual([{ by }, { by }]);
    const { rows: audited } = await shop.sql.query(
      `SELECT actor_email AS by, change, after FROM audit_entries WHERE record_id = $1 ORDER BY id`,
      [order.id],
    );
    expect(audited).toEqual([
      { by: admin.email, change: 'updated', after: { refund: '49.99 USD' } },
      { by: admin.email, change: 'updated', after: { refund: '240.01 USD' } },
    ]);
  });

  test('lose their reasons, which may name the customer, when the account is deleted', async () => {
    const customer = await shop.site.customer();
    const { order, txnId, admin } = await paidOrder(customer);
    const reason = 'Grace asked for it.';
    await admin.post(`/order/${order.id}/refund`, { txnId, amount: '10.00', reason });
    await expectAccepted(admin, order, 1);
    const body = { currentPassword: 'correct horse battery' };
    expect((await customer.send('POST', '/auth/delete-account', { body })).status).toBe(200);
    await eventually(async () => {
      const { rows } = await shop.sql.query(
        `SELECT to_jsonb(t)::text AS stored FROM order_timeline t WHERE order_id = $1::uuid
         UNION ALL SELECT to_jsonb(r)::text FROM payment_refunds r WHERE order_id = $1::uuid
         UNION ALL SELECT to_jsonb(a)::text FROM audit_entries a WHERE record_id = $1::text`,
        [order.id],
      );
      expect(rows.length).toBeGreaterThan(3);
      expect(JSON.stringify(rows)).not.toContain('Grace');
    });
  });

  test('are limited to a hundred for each order', async () => {
    const { order, txnId, admin } = await paidOrder();
    await shop.sql.query(
      `INSERT INTO payment_refunds (id, order_id, attempt_id, txn_id, amount_cents, currency, reason, requested_by,
         requested_account, requested_at, state, next_try_at)
       SELECT gen_random_uuid(), order_id, id, $2, 1, 'USD', 'Part', 'a@example.com', id, now(), 'refused', now()
       FROM payment_attempts, generate_series(1, 100) WHERE order_id = $1`,
      [order.id, txnId],
    );
    const body = { txnId, amount: '1.00', reason: 'More.' };
    const { status, json } = await admin.post<Problem>(`/order/${order.id}/refund`, body);
    expect([status, json.detail]).toEqual([409, expect.stringContaining('at most 100 refunds')]);
    expect((await refundsOf(admin, order)).refunds).toHaveLength(100);
  });

  test('are made once, however often the request is repeated', async () => {
    const { order, txnId, admin } = await paidOrder();
    const body = { txnId, amount: '10.00', reason: 'Sorry.' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        admin.send<{ _id: string }>('POST', `/order/${order.id}/refund`, { body, headers }),
      ),
    );
    expect(new Set(answers.map(({ json }) => json._id)).size).toBe(1);
    await expectAccepted(admin, order, 1);
    expect(await shop.payments(order)).toMatchObject([{ refunded: '10.00' }]);
  });

  test('that together exceed the payment and are requested at the same time: only one is made', async () => {
    const { order, txnId, admin } = await paidOrder();
    const body = { txnId, amount: '200.00', reason: 'Sorry.' };
    const answers = await Promise.all([1, 2].map(() => admin.post(`/order/${order.id}/refund`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await expectAccepted(admin, order, 1);
    expect(await shop.payments(order)).toMatchObject([{ refunded: '200.00' }]);
  });

  test('that PayPal refuses are shown with the reason', async () => {
    const { order, txnId, admin } = await paidOrder();
    // Neither a webhook nor a scheduled inquiry tells the shop of the refund at PayPal.
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
    await shop.cancelInquiries(order);
    await shop.paypal.refund(txnId);
    await admin.post(`/order/${order.id}/refund`, { txnId, amount: price, reason: 'Sorry.' });
    await eventually(async () => {
      const { refunds } = await refundsOf(admin, order);
      expect(refunds).toMatchObject([
        { state: 'refused', problem: expect.stringContaining('CAPTURE_FULLY_REFUNDED') },
      ]);
    });
  });

  test('that are made at PayPal are recorded, too', async () => {
    const { order, txnId } = await paidOrder();
    await shop.paypal.refund(txnId, '12.34');
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentState: 'partially_refunded', refundedCents: 1234 },
    });
  });
});

describe('a declined payment', () => {
  test('is not captured later, even if the buyer approves it again, and does not prevent another payment', async () => {
    const order = await shop.placeOrder();
    const reference = await shop.checkoutReference(order);
    await shop.paypal.approveOrder(reference, { with: 'declined' });
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentState: 'failed' });
    // The inquiry does not capture the payment, although PayPal’s order still has the status APPROVED.
    await shop.inquireNow(order);
    await eventually(async () => {
      const { rows } = await shop.sql.query<{ rescheduled: boolean }>(
        'SELECT inquire_at > now() AS rescheduled FROM payment_attempts WHERE order_id = $1',
        [order.id],
      );
      expect(rows).toEqual([{ rescheduled: true }]);
    });
    // The payment is not captured either when the buyer approves it again in the old tab.
    await shop.paypal.approveOrder(reference);
    await shop.settled();
    expect(await shop.returnFromPayment(order)).toBe('failed');
    expect(await shop.payments(order)).toEqual([]);

    await shop.pay(order);
    expect(await shop.returnFromPayment(order)).toBe('paid');
  });
});

test('an order cannot be cancelled while its money is being taken', async () => {
  const order = await shop.placeOrder();
  expect((await shop.payNow(order)).status).toBe(201);
  await shop.sql.query('UPDATE payment_attempts SET capturing = true WHERE order_id = $1', [order.id]);
  const { status, json } = await shop.cancel(order);
  expect([status, json.code]).toEqual([409, 'ALREADY_PAID']);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid' });
});

test('an order whose payment was approved in another tab is paid when the buyer clicks Pay Now again', async () => {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { drop: true });
  await shop.pay(order);
  const { status, json } = await shop.payNow(order);
  expect([status, json.code]).toEqual([409, 'ALREADY_PAID']);
  await expectPaidOnce(order);
});

test('a payment that PayPal refuses has failed, and can be made again under another invoice number', async () => {
  const order = await shop.placeOrder();
  await shop.paypal.setUpMerchant({ email: shopAddress, blocksDuplicateInvoices: true });
  // Another system of the shop has already used this invoice number at PayPal.
  const invoice = await shop.invoiceOf(order);
  await shop.paypal.pay({ ...formOfAnotherSystem, business: shopAddress, invoice });
  await shop.pay(order);
  await shop.settled();
  expect(await shop.returnFromPayment(order)).toBe('failed');
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', paymentState: 'failed' });
  await shop.pay(order);
  expect(await shop.returnFromPayment(order)).toBe('paid');
  const { payments } = await shop.paypal.ledger({ invoice: `${invoice}-2` });
  expect(payments).toMatchObject([{ gross: price, standing: 'Completed' }]);
  await shop.paypal.setUpMerchant({ email: shopAddress, blocksDuplicateInvoices: false });
});

test('a buyer who returned without approving can still pay', async () => {
  const order = await shop.placeOrder();
  expect((await shop.payNow(order)).status).toBe(201);
  expect(await shop.returnFromPayment(order)).toBe('unpaid');
  expect(await shop.returnFromPayment(order)).toBe('unpaid');
  await shop.pay(order);
  await shop.settled();
  await expectPaidOnce(order);
});
