import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { OrderRefunds } from '#libs/contracts';
import { eventually, sampleEvery } from '#libs/testing';
import type {
  ApiFault,
  ApiOperation,
  PaymentMatch,
  SyntheticWebhook,
} from '../../../../dev/stand-ins/paypal/model.js';
import { app, type PlacedOrder, price, Shop } from './shop.harness.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({
    product: 'checkout',
    settings: { LIMIT_NOTICES: '100000/60', LIMIT_PAYMENTS: '100000/60' },
  });
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

/** Also cancels the shop’s scheduled inquiries about the order. */
async function startCheckout(order: PlacedOrder): Promise<string> {
  const reference = await shop.checkoutReference(order);
  await shop.cancelInquiries(order);
  return reference;
}

/** PayPal holds back the webhooks about the order, so none about the approval has come. */
async function approvedOrder(): Promise<{ order: PlacedOrder; reference: string }> {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
  const reference = await startCheckout(order);
  await shop.paypal.approveOrder(reference);
  return { order, reference };
}

/** The next capture takes the money, but its answer is lost. All inquiries after it fail with `fault`. */
async function loseCaptureAnswer(match: PaymentMatch, fault: 'error' | 'forbidden'): Promise<void> {
  await shop.paypal.misbehaveApi({ match, operation: 'orders.capture', mode: 'reset', times: 1 });
  await shop.paypal.misbehaveApi({ match, operation: 'orders.get', mode: fault });
  // The newest rule applies first, and only once, so the inquiry before the capture is still answered.
  await shop.paypal.misbehaveApi({ match, operation: 'orders.get', mode: 'slow', delayMs: 0, times: 1 });
}

async function paidOrder(): Promise<{ order: PlacedOrder; transaction: string }> {
  const { order } = await approvedOrder();
  expect(await shop.returnFromPayment(order)).toBe('paid');
  const [payment] = await shop.payments(order);
  return { order, transaction: payment!.transactionId };
}

const webhooksOf = async (order: PlacedOrder) =>
  shop.paypal.webhooks({ invoice: await shop.invoiceOf(order) });

async function deliverAll(order: PlacedOrder): Promise<void> {
  await shop.paypal.deliver((await webhooksOf(order)).map(({ id }) => id));
  await shop.settled();
}

async function expectPaidOnce(order: PlacedOrder): Promise<void> {
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'Paid', paymentState: 'paid', flags: [] },
      payments: [{ state: 'received', amount: price }],
    }),
  );
  expect(await shop.payments(order)).toMatchObject([{ gross: price, standing: 'Completed' }]);
  expect((await shop.paymentEvents(order)).filter((status) => status === 'COMPLETED')).toHaveLength(1);
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
}

async function expectUncharged(order: PlacedOrder, more: object = {}): Promise<void> {
  expect(await shop.payments(order)).toEqual([]);
  expect(await shop.paymentEvents(order)).toEqual([]);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: [], ...more });
}

async function expectNotPayable(order: PlacedOrder): Promise<void> {
  const { status, json } = await shop.payNow(order);
  expect([status, json.code]).toEqual([409, 'NOT_PAYABLE']);
}

const changeAttempt = (order: PlacedOrder, column: string, value: string) =>
  shop.sql.query(`UPDATE payment_attempts SET ${column} = $2 WHERE order_id = $1`, [order.id, value]);

describe('an approved PayPal order is held, and the buyer is not charged, if it differs from the payment attempt in', () => {
  test.each([
    ['the amount', 'amount_cents', '28999', 'amount'],
    ['the receiver', 'receiver_account', 'ANOTHERSHOP01', 'merchant_id'],
    ['the currency', 'currency', 'EUR', 'currency'],
    ['the token', 'token', 'ffffffffffffffffffffffffffffffff', 'custom_id'],
    ['the invoice', 'invoice', '1', 'invoice_id'],
  ])('%s', async (_what, column, value, check) => {
    const { order } = await approvedOrder();
    await changeAttempt(order, column, value);
    expect(await shop.returnFromPayment(order)).toBe('under_review');
    expect(await shop.decisions(order)).toMatchObject([{ status: 'held', failed: [check] }]);
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'UnPaid', paymentState: 'unpaid', payments: [], flags: ['notice_held'] },
    });
    expect(await shop.outboxEvents(order)).toEqual(['payments.flagged']);
    expect(await shop.payments(order)).toEqual([]);
  });
});

describe('forged webhooks', () => {
  const thief = createServer((_, response) => response.end('no certificate'));
  let thiefRequests = 0;
  let thiefUrl: string;
  beforeAll(async () => {
    thief.on('request', () => (thiefRequests += 1));
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    thiefUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  });
  afterAll(() => void thief.close());

  test('are kept as evidence and change nothing', async () => {
    const { order } = await approvedOrder();
    const [approval] = await webhooksOf(order);
    const { body } = approval!;
    const forgeries: Partial<SyntheticWebhook>[] = [
      { genuine: false },
      { webhookId: 'WEBHOOK_ID' },
      ...(['other host', 'expired', 'not trusted', 'no chain'] as const).map((certificate) => ({
        certificate,
      })),
      { agedMs: 5 * 24 * 3_600_000 },
      { headers: { 'paypal-auth-algo': 'none' } },
      { headers: { 'paypal-transmission-sig': null } },
      { headers: { 'paypal-cert-url': `${thiefUrl}/v1/notifications/certs/CERT-1` } },
      { headers: { 'paypal-cert-url': `${shop.paypal.url}/v1/notifications/certs/CERT-unknown` } },
      { headers: { 'paypal-cert-url': `${shop.paypal.url}/simulated-root.pem` } },
    ];
    for (const forgery of forgeries) {
      const sent = await shop.paypal.sendWebhook({
        ...{ url: shop.webhookUrl, webhookId: app.webhookId, body },
        ...forgery,
      });
      expect(sent.deliveries).toMatchObject([{ status: 200 }]);
    }
    const changed = body.replace('"APPROVED"', '"APPROVEd"');
    const headers = { ...approval!.headers, 'x-forwarded-for': '173.0.81.1', forwarded: 'for=173.0.81.1' };
    // Covers both a changed body and headers that claim that PayPal sent the request.
    expect((await fetch(shop.webhookUrl, { method: 'POST', headers, body: changed })).status).toBe(200);
    await shop.settled();
    expect(await shop.payments(order)).toEqual([]);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: [] });
    expect((await shop.decisions(order)).map(({ status }) => status)).toEqual(
      Array<string>(forgeries.length + 1).fill('forged'),
    );
    expect(thiefRequests).toBe(0);
  });

  test.each([
    ['an order id that contains NUL', { resource_type: 'checkout-order', resource: { id: 'A\u0000B' } }],
    [
      'a payment id that is NUL',
      { resource: { disputed_transactions: [{ seller_transaction_id: '\u0000' }] } },
    ],
    [
      'the form in which the shop stores PayPal’s answers, and a reference that is NUL',
      { reference: '\u0000', order: null, disputes: [], refusal: null },
    ],
    ['ids that are not text', { resource: { id: {}, custom_id: [1], links: 'none' } }],
  ])('with %s are answered with 200 and count as strangers', async (_what, body) => {
    const headers = { 'content-type': 'application/json' };
    const strangers = await shop.countNotifications('stranger');
    const sent = await fetch(shop.webhookUrl, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(sent.status).toBe(200);
    await shop.settled();
    expect(await shop.countNotifications('stranger')).toBe(strangers + 1);
  });

  test('of ten megabytes are refused', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024, ' ');
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(shop.webhookUrl, { method: 'POST', headers, body })).status).toBe(413);
  });
});

describe('genuine webhooks', () => {
  test('about the order of another shop with the same app count as strangers, not as forged', async () => {
    const { order } = await approvedOrder();
    const [approval] = await webhooksOf(order);
    const [strangers, forged] = [
      await shop.countNotifications('stranger'),
      await shop.countNotifications('forged'),
    ];
    const resource = { id: 'ANOTHERSHOP000001', status: 'APPROVED' };
    await shop.paypal.sendWebhook({
      ...{ url: shop.webhookUrl, webhookId: app.webhookId, copyFromId: approval!.id, event: { resource } },
    });
    await shop.settled();
    expect([await shop.countNotifications('stranger'), await shop.countNotifications('forged')]).toEqual([
      strangers + 1,
      forged,
    ]);
  });

  test('that name another order, or claim more than PayPal’s API says, change nothing', async () => {
    const [order, { order: other }] = [await shop.placeOrder(), await approvedOrder()];
    await startCheckout(order);
    const { rows } = await shop.sql.query<{ token: string; checkout_reference: string }>(
      'SELECT token, checkout_reference FROM payment_attempts WHERE order_id = $1',
      [order.id],
    );
    const { token, checkout_reference: reference } = rows[0]!;
    const [approval] = await webhooksOf(other);
    const amount = { currency_code: 'USD', value: price };
    const related = { supplementary_data: { related_ids: { order_id: reference } } };
    for (const event of [
      { resource: { id: 'MADEUP00000000001', status: 'COMPLETED', custom_id: token, amount } },
      { resource: { id: reference, status: 'COMPLETED', purchase_units: [{ custom_id: token }] } },
      // `approval` has the resource type of an order, with which the shop would not read the related ids.
      { resource_type: 'capture', resource: { id: 'MADEUP00000000002', ...related, amount } },
    ]) {
      await shop.paypal.sendWebhook({
        ...{ url: shop.webhookUrl, webhookId: app.webhookId, copyFromId: approval!.id, event },
      });
    }
    await shop.settled();
    await expectUncharged(order);
    await expectUncharged(other);
  });

  test('that are repeated, before and after a refund, change nothing', async () => {
    const { order, transaction } = await paidOrder();
    await deliverAll(order);
    await deliverAll(order);
    await expectPaidOnce(order);
    await shop.paypal.refund(transaction);
    await deliverAll(order);
    const before = await shop.storedOrder(order);
    expect(before).toMatchObject({ paymentState: 'refunded', refundedCents: 29_000 });
    const [first] = await webhooksOf(order);
    const { headers, body } = first!;
    expect((await fetch(shop.webhookUrl, { method: 'POST', headers, body })).status).toBe(200);
    await deliverAll(order);
    expect(await shop.storedOrder(order)).toEqual(before);
    expect(await shop.payments(order)).toMatchObject([{ refunded: price }]);
  });

  test('that arrive four times, and days late, make the order paid once', async () => {
    const order = await shop.placeOrder();
    const late = { duplicate: 3, agedMs: 3 * 24 * 3_600_000 };
    await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, late);
    await shop.paypal.approveOrder(await startCheckout(order));
    await shop.settled();
    await expectPaidOnce(order);
  });

  test('that arrive in the wrong sequence lead to the same state', async () => {
    const { order, transaction } = await paidOrder();
    await shop.paypal.refund(transaction, '90.00');
    const webhooks = await webhooksOf(order);
    await shop.paypal.deliver(webhooks.map(({ id }) => id).reverse());
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'Paid', paymentState: 'partially_refunded', refundedCents: 9_000 },
    });
  });

  test('that arrive before the shop has stored the id of PayPal’s order are tried again', async () => {
    const { order, reference } = await approvedOrder();
    await shop.sql.query('UPDATE payment_attempts SET checkout_reference = NULL WHERE order_id = $1', [
      order.id,
    ]);
    const [approval] = await webhooksOf(order);
    await shop.paypal.deliver([approval!.id]);
    await eventually(async () =>
      expect(await shop.decisions(order)).toMatchObject([{ status: 'waiting', receipts: 1 }]),
    );
    await changeAttempt(order, 'checkout_reference', reference);
    await shop.settled();
    await expectPaidOnce(order);
  });
});

describe('a return', () => {
  test('typed by hand leaves the order UnPaid and payable', async () => {
    const order = await shop.placeOrder();
    const reference = await startCheckout(order);
    const typed = `/received-payment/${order.id}?token=${reference}&PayerID=TYPED&st=Completed&amt=${price}`;
    await order.customer.get(typed, { headers: { Accept: 'text/html' } });
    expect(await shop.returnFromPayment(order, reference)).toBe('unpaid');
    await expectUncharged(order);
    expect(await shop.checkoutReference(order)).toBe(reference);
  });

  test('that names the PayPal order or the payment of another buyer changes no order', async () => {
    const { order: approved, reference } = await approvedOrder();
    const { order: paid, transaction } = await paidOrder();
    const attackersOrder = await shop.placeOrderBy(await shop.site.customer());
    await startCheckout(attackersOrder);
    expect(await shop.returnFromPayment(attackersOrder, reference)).toBe('unpaid');
    expect(await shop.returnFromPayment(attackersOrder, transaction)).toBe('unpaid');
    for (const order of [attackersOrder, approved]) await expectUncharged(order);
    await expectPaidOnce(paid);
  });
});

describe('if PayPal refuses to report on a payment when the buyer returns, the shop asks again', () => {
  /** The buyer returns when the next inquiry is an hour away. Returns the outlook, and in how many seconds the next inquiry is then. */
  async function returnWhileRefused(order: PlacedOrder, reference: string) {
    await shop.sql.query(
      `UPDATE payment_attempts SET inquire_at = now() + interval '1 hour' WHERE order_id = $1`,
      [order.id],
    );
    await shop.paypal.misbehaveApi({ match: { orderId: reference }, mode: 'forbidden' });
    const outlook = await shop.returnFromPayment(order);
    const { rows } = await shop.sql.query<{ seconds: number }>(
      `SELECT extract(epoch FROM inquire_at - now())::float8 AS seconds FROM payment_attempts WHERE order_id = $1`,
      [order.id],
    );
    await shop.paypal.behave();
    return { outlook, seconds: rows[0]!.seconds };
  }

  test('after half a minute if the order can be paid by another attempt, because a second refusal would end the inquiries', async () => {
    const { order, reference } = await approvedOrder();
    const { outlook, seconds } = await returnWhileRefused(order, reference);
    expect(outlook).toBe('unpaid');
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThanOrEqual(30);
  });

  test('within seconds if the money may have been taken, because the order cannot be paid until then', async () => {
    const { order, reference } = await approvedOrder();
    await loseCaptureAnswer({ orderId: reference }, 'forbidden');
    await expectNotPayable(order);
    const { outlook, seconds } = await returnWhileRefused(order, reference);
    expect(outlook).toBe('confirming');
    expect(seconds).toBeLessThanOrEqual(5);
  });
});

describe('the cancel screen', () => {
  test('cancels the order after the approval, and the buyer is never charged', async () => {
    const { order } = await approvedOrder();
    expect((await shop.cancel(order)).json).toMatchObject({ paymentStatus: 'Cancelled' });
    expect(await shop.returnFromPayment(order)).toBe('cancelled');
    await deliverAll(order);
    await shop.inquireNow(order);
    await eventually(async () => {
      const { rows } = await shop.sql.query<{ due: boolean }>(
        'SELECT inquire_at <= now() AS due FROM payment_attempts WHERE order_id = $1',
        [order.id],
      );
      expect(rows).toEqual([{ due: false }]);
    });
    await expectUncharged(order, { paymentStatus: 'Cancelled', paymentState: 'cancelled' });
  });

  test('cannot cancel the order after the payment, and the order stays Paid', async () => {
    const { order } = await paidOrder();
    expect(await shop.cancel(order)).toMatchObject({ status: 409, json: { code: 'ALREADY_PAID' } });
    await expectPaidOnce(order);
  });

  test('finds nothing for another person’s order, and neither do Pay Now and the return screen', async () => {
    const { order } = await approvedOrder();
    const { customer } = await shop.placeOrderBy(await shop.site.customer());
    const answers = [
      await shop.cancel(order, customer),
      await shop.payNow(order, customer),
      await customer.post(`/order/${order.id}/payment-return`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    await expectUncharged(order);
  });
});

describe('paying twice', () => {
  test('a double click starts one attempt and one order at PayPal', async () => {
    const order = await shop.placeOrder();
    const references = await Promise.all(Array.from({ length: 8 }, () => shop.checkoutReference(order)));
    expect(new Set(references).size).toBe(1);
    expect((await shop.timeline(order)).map(({ kind }) => kind)).toEqual(['attempt_started']);
  });

  async function orderApprovedTwice(): Promise<{ order: PlacedOrder; references: [string, string] }> {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({}, { hold: true });
    const first = await startCheckout(order);
    // An attempt that is older than three hours is not continued.
    await changeAttempt(order, 'created_at', new Date(Date.now() - 4 * 3_600_000).toISOString());
    const second = await startCheckout(order);
    expect(second).not.toBe(first);
    await shop.paypal.approveOrder(first);
    await shop.paypal.approveOrder(second);
    return { order, references: [first, second] };
  }

  const captures = async (references: string[]) => {
    const ledgers = await Promise.all(references.map((orderId) => shop.paypal.ledger({ orderId })));
    return ledgers.flatMap(({ payments }) => payments);
  };

  test('of two approved attempts, only one is captured, although webhooks and returns arrive at the same time', async () => {
    const { order, references } = await orderApprovedTwice();
    const webhooks = (await shop.paypal.webhooks({ state: 'held' })).filter(({ body }) =>
      references.some((reference) => body.includes(reference)),
    );
    await Promise.all([
      ...webhooks.map(({ id }) => shop.paypal.deliver([id])),
      ...Array.from({ length: 5 }, () => shop.returnFromPayment(order)),
    ]);
    await shop.settled();
    expect(await captures(references)).toHaveLength(1);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    const again = await shop.payNow(order);
    expect([again.status, again.json.code]).toEqual([409, 'ALREADY_PAID']);
  });

  test('after an attempt that fails, another attempt can pay the order', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({}, { hold: true });
    const first = await startCheckout(order);
    await shop.paypal.approveOrder(first, { with: 'declined' });
    expect(await shop.returnFromPayment(order)).toBe('failed');
    const second = await startCheckout(order);
    await shop.paypal.approveOrder(second);
    expect(await shop.returnFromPayment(order)).toBe('paid');
    expect(await captures([first, second])).toMatchObject([{ standing: 'Completed' }]);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  });
});

test('fifty webhooks, returns, polls and clicks on Pay Now at the same time lead to one capture and one event', async () => {
  const { order } = await approvedOrder();
  const [approval] = await webhooksOf(order);
  const ten = <T>(call: () => Promise<T>) => Array.from({ length: 10 }, call);
  const url = shop.webhookUrl;
  const { webhookId } = app;
  await Promise.all([
    ...ten(() => shop.paypal.sendWebhook({ url, webhookId, copyFromId: approval!.id })),
    ...ten(() => fetch(url, { method: 'POST', headers: approval!.headers, body: approval!.body })),
    ...ten(() => shop.returnFromPayment(order)),
    ...ten(() => order.customer.get(`/order/${order.id}`)),
    ...ten(() => shop.payNow(order)),
  ]);
  await shop.settled();
  await expectPaidOnce(order);
  expect((await shop.timeline(order)).filter(({ kind }) => kind === 'payment')).toHaveLength(1);
});

test('after a cancellation at the same time as the capture, the order agrees with PayPal’s books', async () => {
  const { order } = await approvedOrder();
  await Promise.all([shop.returnFromPayment(order), shop.cancel(order), shop.returnFromPayment(order)]);
  await deliverAll(order);
  const taken = (await shop.payments(order)).length;
  const status = taken === 1 ? 'Paid' : 'Cancelled';
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: status });
  expect(await shop.paymentEvents(order)).toHaveLength(taken);
});

test('the shop records a refund even if PayPal makes it before the shop knows of the payment', async () => {
  const { order } = await approvedOrder();
  await loseCaptureAnswer({ invoice: await shop.invoiceOf(order) }, 'error');
  expect(await shop.returnFromPayment(order)).toBe('confirming');
  const [payment] = await shop.payments(order);
  await shop.paypal.refund(payment!.transactionId);
  await shop.paypal.behave();
  await deliverAll(order);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentState: 'refunded', refundedCents: 29_000 });
});

test('after a change to another app, the former attempt is not captured, and the order can be paid', async () => {
  const { order, reference } = await approvedOrder();
  await changeAttempt(order, 'receiver', 'the-former-client-id');
  expect(await shop.returnFromPayment(order)).toBe('unpaid');
  await expectUncharged(order);
  const next = await startCheckout(order);
  expect(next).not.toBe(reference);
  await shop.paypal.approveOrder(next);
  await shop.returnFromPayment(order);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  expect((await shop.paypal.ledger({ orderId: reference })).payments).toEqual([]);
});

test('an attempt about which PayPal refuses to say anything is replaced by the next click, and never captured', async () => {
  const { order, reference } = await approvedOrder();
  await shop.paypal.misbehaveApi({ match: { orderId: reference }, mode: 'forbidden' });
  // The webhook about the approval is decided before the next click, because an order cannot be paid while one of its webhooks waits.
  const [approval] = await webhooksOf(order);
  await shop.paypal.sendWebhook({
    ...{ url: shop.webhookUrl, webhookId: app.webhookId, copyFromId: approval!.id },
  });
  await shop.settled();
  expect(await shop.decisions(order)).toMatchObject([{ status: 'recorded' }]);
  const next = await startCheckout(order);
  expect(next).not.toBe(reference);
  await shop.paypal.approveOrder(next);
  await shop.paypal.behave();
  // The webhook about the former approval comes late.
  await deliverAll(order);
  expect(await shop.returnFromPayment(order)).toBe('paid');
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  expect((await shop.paypal.ledger({ orderId: next })).payments).toMatchObject([{ gross: price }]);
  expect((await shop.paypal.ledger({ orderId: reference })).payments).toEqual([]);
});

describe('an attempt whose money may have been taken is not replaced', () => {
  /** The click on Pay Now in `expectNotPayable` takes the money, but the answer is lost, and PayPal refuses inquiries from then on. */
  async function captureWithoutAnswer(): Promise<PlacedOrder> {
    const { order, reference } = await approvedOrder();
    await loseCaptureAnswer({ orderId: reference }, 'forbidden');
    await expectNotPayable(order);
    expect(await shop.payments(order)).toMatchObject([{ gross: price }]);
    return order;
  }

  async function expectPaidByFirstAttempt(order: PlacedOrder): Promise<void> {
    await shop.paypal.behave();
    expect(await shop.returnFromPayment(order)).toBe('paid');
    expect((await shop.timeline(order)).filter(({ kind }) => kind === 'attempt_started')).toHaveLength(1);
  }

  test('by another click, which only inquires', async () => {
    const order = await captureWithoutAnswer();
    await expectNotPayable(order);
    await expectPaidByFirstAttempt(order);
  });

  test('even after it was reported as an attempt without an outcome, while a webhook about the capture is waiting', async () => {
    const order = await captureWithoutAnswer();
    await shop.sql.query(
      'UPDATE payment_attempts SET missed_at = now(), capturing = false WHERE order_id = $1',
      [order.id],
    );
    const [captured] = (await webhooksOf(order)).filter(({ body }) =>
      body.includes('"PAYMENT.CAPTURE.COMPLETED"'),
    );
    await shop.paypal.deliver([captured!.id]);
    await eventually(async () => {
      const { rows } = await shop.sql.query<{ tries: number }>(
        `SELECT notification.tries FROM payment_notices notification
           JOIN payment_attempts attempt ON attempt.id = notification.attempt_id WHERE attempt.order_id = $1`,
        [order.id],
      );
      expect(rows[0]?.tries).toBeGreaterThan(1);
    });
    expect(await shop.decisions(order)).toMatchObject([{ status: 'waiting' }]);
    await expectNotPayable(order);
    await expectPaidByFirstAttempt(order);
  });
});

test('a change of the order after the attempt does not change what is captured', async () => {
  const { order } = await approvedOrder();
  await shop.sql.query(
    `UPDATE orders SET package_name = 'Dear', package_price = '990.00', price_cents = 99000 WHERE id = $1`,
    [order.id],
  );
  expect(await shop.returnFromPayment(order)).toBe('paid');
  await expectPaidOnce(order);
});

describe('while PayPal misbehaves', () => {
  const faults: ApiFault[] = [
    'error',
    'rate limited',
    'error after success',
    'empty after success',
    'html',
    'timeout',
    'reset',
  ];
  const once = (operation: ApiOperation, mode: ApiFault, match = {}) =>
    shop.paypal.misbehaveApi({ operation, mode, match, times: 1 });

  test.each(sampleEvery(3, faults))(
    'at the creation (%s): Pay Now is refused with 503, and a second click continues the same attempt',
    async (mode) => {
      const order = await shop.placeOrder();
      const match = { invoice: await shop.invoiceOf(order) };
      await once('orders.create', mode, match);
      const refused = await shop.payNow(order);
      expect([refused.status, refused.json.code]).toEqual([503, 'UNAVAILABLE']);
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: [] });
      await shop.pay(order);
      await shop.settled();
      await expectPaidOnce(order);
      expect((await shop.timeline(order)).filter(({ kind }) => kind === 'attempt_started')).toHaveLength(1);
    },
  );

  test.each(
    sampleEvery(
      3,
      faults.flatMap((mode) => [['orders.get', mode] as const, ['orders.capture', mode] as const]),
    ),
  )('at %s (%s): the order is paid once in the end', async (operation, mode) => {
    const { order } = await approvedOrder();
    await once(operation, mode, { invoice: await shop.invoiceOf(order) });
    await shop.returnFromPayment(order);
    expect(await shop.returnFromPayment(order)).toBe('paid');
    await deliverAll(order);
    await expectPaidOnce(order);
  });

  test.each(sampleEvery(3, faults, 1))(
    'at the token (%s): the order is paid once in the end',
    async (mode) => {
      const { order } = await approvedOrder();
      await shop.paypal.revokeTokens();
      await once('token', mode);
      await shop.returnFromPayment(order);
      expect(await shop.returnFromPayment(order)).toBe('paid');
      await expectPaidOnce(order);
    },
  );

  test.each(sampleEvery(3, faults, 2))('at a refund (%s): the buyer gets the money once', async (mode) => {
    const { order, transaction } = await paidOrder();
    await once('captures.refund', mode);
    const admin = await shop.site.admin();
    const body = { txnId: transaction, amount: '90.00', reason: 'Sorry.' };
    expect((await admin.post(`/order/${order.id}/refund`, body)).status).toBe(201);
    await eventually(async () => {
      const { json } = await admin.get<OrderRefunds>(`/order/${order.id}/refunds`);
      expect(json.refunds).toMatchObject([{ state: 'accepted' }]);
    });
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', refundedCents: 9_000 });
    expect(await shop.payments(order)).toMatchObject([{ refunded: '90.00' }]);
  });

  test('a refund is not recorded as refused if the shop cannot inquire about it', async () => {
    const { order, transaction } = await paidOrder();
    const admin = await shop.site.admin();
    const { rows } = await shop.sql.query<{ receiver: string }>(
      'SELECT receiver FROM payment_attempts WHERE order_id = $1',
      [order.id],
    );
    // The shop does not inquire about attempts that belong to another app.
    await changeAttempt(order, 'receiver', 'the-former-client-id');
    await admin.post(`/order/${order.id}/refund`, { txnId: transaction, amount: '90.00', reason: 'Sorry.' });
    await eventually(async () => expect(await shop.payments(order)).toMatchObject([{ refunded: '90.00' }]));
    await eventually(async () =>
      expect((await admin.get(`/order/${order.id}/refunds`)).json).toMatchObject({
        refunds: [{ state: 'accepted' }],
        refundable: [{ txnId: transaction, amount: '200.00' }],
      }),
    );
    await changeAttempt(order, 'receiver', rows[0]!.receiver);
    await shop.inquireNow(order);
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ refundedCents: 9_000 }),
    );
    expect(await shop.payments(order)).toMatchObject([{ refunded: '90.00' }]);
  });

  test('at every capture: nothing is lost, and the customer is told to wait', async () => {
    const { order } = await approvedOrder();
    const match = { invoice: await shop.invoiceOf(order) };
    await shop.paypal.misbehaveApi({ match, operation: 'orders.capture', mode: 'error' });
    expect(await shop.returnFromPayment(order)).toBe('confirming');
    await expectNotPayable(order);
    await expectUncharged(order);
    await shop.paypal.behave();
    expect(await shop.returnFromPayment(order)).toBe('paid');
    await expectPaidOnce(order);
  });
});

describe('a dispute', () => {
  test.each([
    ['won', { paymentStatus: 'Paid', paymentState: 'paid', refundedCents: 0 }],
    ['lost', { paymentStatus: 'Cancelled', paymentState: 'refunded', refundedCents: 29_000 }],
  ] as const)('cancels the order, and sets its final state once the seller has %s', async (end, expected) => {
    const { order, transaction } = await paidOrder();
    await shop.paypal.dispute(transaction, 'opened');
    await deliverAll(order);
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{
        paymentStatus: 'Cancelled',
        paymentState: 'disputed',
        flags: expect.arrayContaining(['disputed']),
      },
    });
    await shop.paypal.dispute(transaction, end);
    await deliverAll(order);
    expect(await shop.storedOrder(order)).toMatchObject(expected);
  });

  test('does not make the order payable again, even if it is opened before the shop knows of the payment', async () => {
    const { order } = await approvedOrder();
    await loseCaptureAnswer({ invoice: await shop.invoiceOf(order) }, 'error');
    await shop.returnFromPayment(order);
    const [payment] = await shop.payments(order);
    await shop.paypal.dispute(payment!.transactionId, 'opened');
    await shop.paypal.behave();
    await deliverAll(order);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentState: 'disputed' });
    await expectNotPayable(order);
  });
});

test('PayPal’s data about buyers, and the app’s secret, are neither in the log of the orders service nor in the timeline', async () => {
  const { order } = await paidOrder();
  const texts = JSON.stringify(shop.site.orders[0]!.log) + JSON.stringify(await shop.timeline(order));
  expect(texts).not.toMatch(/john|buyer@/i);
  expect(texts).not.toContain(app.secret);
});

test('after all attacks, every notification is decided', async () => {
  await eventually(async () => expect(await shop.countNotifications('waiting')).toBe(0));
});
