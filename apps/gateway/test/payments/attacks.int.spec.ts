import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import type { PaymentForm } from '../../../../dev/stand-ins/paypal/client.js';
import { type PlacedOrder, price, Shop, shopAddress } from './shop.harness.js';

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop?.close());

/** The buyer changed the form before paying. */
async function paidWith(changes: Partial<PaymentForm>): Promise<PlacedOrder> {
  const order = await shop.placeOrder();
  await shop.paypal.pay({ ...(await shop.form(order)), ...changes } as PaymentForm);
  await shop.settled();
  return order;
}

/** The notification is genuine but must not count: it is kept with the reason, and the order is flagged. */
async function expectHeld(order: PlacedOrder, failed: string[]): Promise<void> {
  expect(await shop.decisions(order)).toMatchObject([{ status: 'held', failed }]);
  expect(await shop.paymentEvents(order)).toEqual([]);
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'UnPaid',
    paymentState: 'unpaid',
    payments: [],
    flags: ['notice_held'],
  });
  expect(await shop.outboxEvents(order)).toEqual(['payments.flagged']);
  expect((await shop.timeline(order)).at(-1)).toMatchObject({
    kind: 'notice_held',
    evidence: { failed: failed.map((check) => expect.objectContaining({ check })) },
  });
  expect(await shop.returnFromPayment(order)).toBe('under_review');
}

async function expectUntouched(order: PlacedOrder): Promise<void> {
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', version: 1, flags: [] });
  expect(await shop.paymentEvents(order)).toEqual([]);
  expect(await shop.outboxEvents(order)).toEqual([]);
}

/** A notification that PayPal does not confirm only flags the order. */
async function expectUnconfirmed(order: PlacedOrder): Promise<void> {
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: ['unverified'] });
  expect(await shop.paymentEvents(order)).toEqual([]);
  expect(await shop.outboxEvents(order)).toEqual(['payments.flagged']);
}

async function expectPaid(order: PlacedOrder): Promise<void> {
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'Paid',
    paymentState: 'paid',
    flags: [],
  });
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid']);
}

test('a payment of a changed amount is held', async () => {
  await expectHeld(await paidWith({ amount: '1.00' }), ['mc_gross']);
});

test('a payment to another receiver, with our notification address, is held', async () => {
  await expectHeld(await paidWith({ business: 'thief@example.com' }), ['receiver']);
});

test('a payment in another currency is held', async () => {
  await expectHeld(await paidWith({ currency_code: 'EUR' }), ['mc_currency']);
});

describe('amounts other than the one due', () => {
  test.each([
    ['overpayment', '300.00'],
    ['a cent too little', '289.99'],
    ['a cent too much', '290.01'],
  ])('%s is held', async (_what, amount) => {
    await expectHeld(await paidWith({ amount }), ['mc_gross']);
  });

  test('parts that add up are held', async () => {
    const order = await shop.placeOrder();
    const half = { ...(await shop.form(order)), amount: '145.00' };
    await shop.paypal.pay(half);
    await shop.paypal.pay(half);
    await shop.settled();
    expect(await shop.decisions(order)).toMatchObject([{ status: 'held' }, { status: 'held' }]);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: ['notice_held'] });
  });

  test('twice the quantity is held', async () => {
    await expectHeld(await paidWith({ quantity: '2' }), ['mc_gross']);
  });
});

const forgery = (form: PaymentForm, more: Record<string, string> = {}) => ({
  business: shopAddress,
  receiver_email: shopAddress,
  mc_gross: price,
  payment_gross: price,
  invoice: form.invoice!,
  custom: form.custom!,
  ...more,
});

test('a forged notification is kept as evidence, has no effect on the payment, and flags the order', async () => {
  const order = await shop.placeOrder();
  const form = await shop.form(order);
  for (const txn_id of ['FORGED00000000001', 'FORGED00000000002']) {
    const sent = await shop.paypal.sendIpn({
      url: shop.ipnUrl,
      genuine: false,
      fields: forgery(form, { txn_id }),
    });
    expect(sent.deliveries).toMatchObject([{ status: 200 }]);
  }
  await shop.settled();
  await expectUnconfirmed(order);
  expect(await shop.decisions(order)).toMatchObject([{ status: 'forged' }, { status: 'forged' }]);
  expect((await shop.timeline(order)).map(({ kind }) => kind)).toEqual([
    'attempt_started',
    'notice_received',
  ]);
});

describe('a genuine payment', () => {
  test('of a cheap order with the `invoice` of an expensive one is held, and does not affect the expensive order', async () => {
    const [cheap, expensive] = [await shop.placeOrder('1.00'), await shop.placeOrder('900.00')];
    await shop.form(expensive);
    await shop.paypal.pay({ ...(await shop.form(cheap)), invoice: expensive.id });
    await shop.settled();
    await expectHeld(cheap, ['invoice']);
    await expectUntouched(expensive);
  });

  test('of a cheap order with the token of an expensive one is held, and does not affect the cheap order', async () => {
    const [cheap, expensive] = [await shop.placeOrder('1.00'), await shop.placeOrder('900.00')];
    const { custom } = await shop.form(expensive);
    await shop.paypal.pay({ ...(await shop.form(cheap)), custom: custom! });
    await shop.settled();
    await expectUntouched(cheap);
    await expectHeld(expensive, ['invoice', 'mc_gross']);
  });

  test('without any token is only counted as a stranger, and flags nothing', async () => {
    const expensive = await shop.placeOrder('900.00');
    const before = await shop.countNotifications('stranger');
    await shop.paypal.pay({ ...(await shop.form(expensive)), custom: '' });
    await shop.settled();
    await expectUntouched(expensive);
    expect(await shop.countNotifications('stranger')).toBe(before + 1);
  });
});

test('a notification of the sandbox is held', async () => {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: order.id }, { fields: { test_ipn: '1' } });
  await shop.paypal.pay(await shop.form(order));
  await shop.settled();
  await expectHeld(order, ['test_ipn']);
});

describe('a replayed genuine notification', () => {
  test('for the same order changes nothing, neither if somebody posts its exact bytes nor if PayPal resends it', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    const before = await shop.storedOrder(order);
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    expect((await shop.notify(notification!.body)).status).toBe(200);
    await shop.paypal.deliver([notification!.id]);
    await shop.settled();
    expect(await shop.storedOrder(order)).toEqual(before);
    await expectPaid(order);
    expect(await shop.decisions(order)).toMatchObject([
      { status: 'recorded', receipts: 2 },
      { status: 'repeated', receipts: 1 },
    ]);
  });

  test('that was changed to name another order counts as forged', async () => {
    const [order, other] = [await shop.placeOrder(), await shop.placeOrder()];
    const [form, otherForm] = [await shop.form(order), await shop.form(other)];
    await shop.paypal.pay(form);
    await shop.settled();
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    const body = notification!.body
      .replaceAll(order.id, other.id)
      .replaceAll(form.custom!, otherForm.custom!);
    expect((await shop.notify(body)).status).toBe(200);
    await shop.settled();
    await expectUnconfirmed(other);
    expect(await shop.decisions(other)).toMatchObject([{ status: 'forged' }]);
  });

  test('after a refund leaves the order refunded', async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await shop.paypal.refund(payment.transactionId);
    await shop.settled();
    const before = await shop.storedOrder(order);
    expect(before).toMatchObject({
      paymentStatus: 'Cancelled',
      paymentState: 'refunded',
      refundedCents: 29_000,
    });
    const notifications = await shop.paypal.ipns({ invoice: order.id });
    await shop.paypal.deliver(notifications.map(({ id }) => id));
    await shop.settled();
    const replayedAt = Date.now();
    expect((await shop.notify(notifications[0]!.body)).status).toBe(200);
    await shop.settled();
    expect(await shop.storedOrder(order)).toEqual(before);
    // The admin screen about the connection shows the time of this receipt, although a newer notification is stored.
    const admin = await shop.site.admin();
    const { json } = await admin.get<{ lastNotificationAt: string }>('/paypal-connection');
    expect(Date.parse(json.lastNotificationAt)).toBeGreaterThanOrEqual(replayedAt);
    expect(await shop.paymentEvents(order)).toEqual(['Completed', 'Refunded']);
  });
});

describe('a genuine notification', () => {
  test('with one changed byte counts as forged', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    await shop.paypal.pay(await shop.form(order));
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    expect((await shop.notify(notification!.body.replace('first_name=John', 'first_name=Joan'))).status).toBe(
      200,
    );
    await shop.settled();
    expect(await shop.decisions(order)).toMatchObject([{ status: 'forged' }]);
    await expectUnconfirmed(order);
  });

  test('that is changed in transit only flags the order', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { tamper: { mc_fee: '0.00' } });
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await expectUnconfirmed(order);
  });

  test.each(['mc_gross', 'payment_status', 'receiver_email'])('with %s twice is held', async (name) => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { append: [[name, 'x']] });
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await expectHeld(order, ['every parameter once']);
  });

  test('with two tokens belongs to no order', async () => {
    const [order, other] = [await shop.placeOrder(), await shop.placeOrder()];
    const { custom } = await shop.form(other);
    await shop.paypal.misbehave({ invoice: order.id }, { append: [['custom', custom!]] });
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await expectUntouched(order);
    await expectUntouched(other);
  });
});

test('headers that claim to be PayPal’s have no effect', async () => {
  const order = await shop.placeOrder();
  const form = await shop.form(order);
  const body = new URLSearchParams({
    ...forgery(form),
    payment_status: 'Completed',
    txn_type: 'web_accept',
    mc_currency: 'USD',
    txn_id: 'FORGED00000000003',
  });
  const answer = await shop.notify(body.toString(), {
    'X-Forwarded-For': '173.0.81.1',
    'X-Real-IP': '173.0.81.1',
    Forwarded: 'for=173.0.81.1;host=ipnpb.paypal.com',
    'X-Forwarded-Host': 'ipnpb.paypal.com',
    'Client-IP': '173.0.81.1',
    'User-Agent': 'PayPal IPN ( https://www.paypal.com/ipn )',
  });
  expect(answer.status).toBe(200);
  await shop.settled();
  await expectUnconfirmed(order);
  expect(await shop.decisions(order)).toMatchObject([{ status: 'forged' }]);
});

test('a return address typed by hand leaves the order UnPaid', async () => {
  const order = await shop.placeOrder();
  await shop.form(order);
  const typed = `/received-payment/${order.id}?st=Completed&amt=${price}&cc=USD&tx=TYPED000000000001`;
  await order.customer.get(typed, { headers: { Accept: 'text/html' } });
  expect(await shop.returnFromPayment(order, 'TYPED000000000001')).toBe('confirming');
  const body = { tx: 'TYPED000000000001', st: 'Completed', amt: price };
  const answer = await order.customer.post<{ errors: { field: string }[] }>(
    `/order/${order.id}/payment-return`,
    body,
  );
  expect([answer.status, answer.json.errors.map(({ field }) => field)]).toEqual([400, ['st', 'amt']]);
  await expectUntouched(order);
});

describe('a transaction that a returning buyer names', () => {
  /** The notification is lost, so only the returning buyer can report the payment. */
  async function paidWithoutNotification(order: PlacedOrder): Promise<string> {
    await shop.paypal.misbehave({ invoice: order.id }, { drop: true });
    const { payment } = await shop.paypal.pay(await shop.form(order));
    return payment.transactionId;
  }

  test('is looked up, and counts if it is this order’s', async () => {
    const order = await shop.placeOrder();
    const tx = await paidWithoutNotification(order);
    expect(await shop.returnFromPayment(order, tx)).toBe('paid');
    expect(await shop.returnFromPayment(order, tx)).toBe('paid');
    await expectPaid(order);
    expect(await shop.paymentEvents(order)).toEqual(['Completed']);
  });

  test('has no effect if it is another order’s, of the same or of another buyer', async () => {
    const [order, other] = [await shop.placeOrder(), await shop.placeOrder()];
    const otherBuyersOrder = await shop.placeOrderBy(await shop.site.customer());
    const tx = await paidWithoutNotification(other);
    await shop.form(order);
    await shop.form(otherBuyersOrder);
    expect(await shop.returnFromPayment(order, tx)).toBe('confirming');
    expect(await shop.returnFromPayment(otherBuyersOrder, tx)).toBe('confirming');
    for (const untouched of [order, other, otherBuyersOrder]) await expectUntouched(untouched);
  });

  test('is checked like a notification', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { drop: true });
    const { payment } = await shop.paypal.pay({ ...(await shop.form(order)), amount: '1.00' });
    expect(await shop.returnFromPayment(order, payment.transactionId)).toBe('under_review');
    await expectHeld(order, ['mc_gross']);
  });

  test('has no effect if it has been refunded since', async () => {
    const order = await shop.placeOrder();
    const tx = await paidWithoutNotification(order);
    await shop.paypal.refund(tx);
    expect(await shop.returnFromPayment(order, tx)).toBe('confirming');
    await expectUntouched(order);
  });

  test('is refused if its id is malformed; with a well-formed id, it has no effect on an order without an attempt', async () => {
    const [order, started] = [await shop.placeOrder(), await shop.placeOrder()];
    // With an attempt, the shop would ask PayPal about a well-formed id.
    await shop.form(started);
    for (const tx of ['', '../../x', 'a&at=b', '<script>', 'x'.repeat(65), 7]) {
      for (const { id, customer } of [order, started]) {
        const path = `/order/${id}/payment-return`;
        const answer = await customer.post<{ errors: { field: string }[] }>(path, { tx });
        expect([answer.status, answer.json.errors]).toMatchObject([400, [{ field: 'tx' }]]);
      }
    }
    // A refused return does not count as a return: the order can still be paid.
    await shop.form(started);
    expect(await shop.returnFromPayment(order, 'UNKNOWN0000000001')).toBe('unpaid');
    for (const untouched of [order, started]) await expectUntouched(untouched);
  });

  test('is recorded once if its notification arrives at the same time', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order));
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    await Promise.all([
      shop.paypal.deliver([notification!.id]),
      ...Array.from({ length: 5 }, () => shop.returnFromPayment(order, payment.transactionId)),
    ]);
    await shop.settled();
    await expectPaid(order);
    expect(await shop.paymentEvents(order)).toEqual(['Completed']);
  });
});

describe('paying twice', () => {
  test('a double click starts one attempt', async () => {
    const order = await shop.placeOrder();
    const forms = await Promise.all(Array.from({ length: 8 }, () => shop.form(order)));
    expect(new Set(forms.map(({ custom }) => custom)).size).toBe(1);
    expect((await shop.timeline(order)).map(({ kind }) => kind)).toEqual(['attempt_started']);
  });

  test('in two tabs: the first payment makes the order Paid, the second flags it, and refunding the second leaves it Paid', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    await shop.paypal.pay(form);
    await shop.settled();
    await expectPaid(order);
    const { payment } = await shop.paypal.pay(form, { with: 'card' });
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      flags: ['paid_twice'],
      payments: [{ state: 'received' }, { state: 'received' }],
    });
    await shop.paypal.refund(payment.transactionId);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      refundedCents: 29_000,
      payments: expect.arrayContaining([
        expect.objectContaining({ state: 'received' }),
        expect.objectContaining({ state: 'refunded', txnId: payment.transactionId }),
      ]),
    });
    expect(await shop.outboxEvents(order)).toEqual(['orders.paid', 'payments.flagged', 'orders.refunded']);
  });

  test('a paid order cannot be paid again through Pay Now', async () => {
    const order = await paidWith({});
    const again = await shop.payNow(order);
    expect([again.status, again.json.code]).toEqual([409, 'ALREADY_PAID']);
  });
});

test('a refund from the buyer’s own merchant account is held', async () => {
  const order = await shop.placeOrder();
  const form = await shop.form(order);
  const { payment } = await shop.paypal.pay(form);
  await shop.settled();
  const [genuine] = await shop.paypal.ipns({ invoice: order.id });
  await shop.paypal.sendIpn({
    url: shop.ipnUrl,
    copyFromId: genuine!.id,
    fields: {
      payment_status: 'Refunded',
      txn_type: null,
      txn_id: 'REFUND00000000001',
      parent_txn_id: payment.transactionId,
      mc_gross: `-${price}`,
      business: 'buyers-own-shop@example.com',
      receiver_email: 'buyers-own-shop@example.com',
    },
  });
  await shop.settled();
  expect((await shop.decisions(order)).at(-1)).toMatchObject({ status: 'held', failed: ['receiver'] });
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'Paid',
    refundedCents: 0,
    flags: ['notice_held'],
  });
});

test('a payment to the buyer’s own merchant account, and its refund, are held', async () => {
  const order = await shop.placeOrder();
  const form = { ...(await shop.form(order)), business: 'buyers-own-shop@example.com' };
  const { payment } = await shop.paypal.pay(form);
  await shop.paypal.refund(payment.transactionId);
  await shop.settled();
  expect(await shop.decisions(order)).toMatchObject([{ status: 'held' }, { status: 'held' }]);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', paymentState: 'unpaid' });
});

describe('the shop’s address changes during a payment', () => {
  const newAddress = 'new-shop@example.com';
  afterAll(() => shop.setAddress(shopAddress));

  test('the address of the attempt counts, and the next attempt has the new one', async () => {
    const [order, late] = [await shop.placeOrder(), await shop.placeOrder()];
    const [form, lateForm] = [await shop.form(order), await shop.form(late)];
    await shop.setAddress(newAddress);
    await shop.paypal.pay(form);
    await shop.paypal.pay({ ...lateForm, business: newAddress });
    await shop.settled();
    await expectPaid(order);
    await expectHeld(late, ['receiver']);
    // Before an admin has reviewed the order, the customer is not asked to pay again.
    const admin = await shop.site.admin();
    expect((await admin.post(`/order/${late.id}/flags-cleared`, {})).status).toBe(200);
    const next = await shop.form(late);
    expect(next.business).toBe(newAddress);
    expect(next.custom).not.toBe(lateForm.custom);
  });

  test('letter case does not matter, and a secondary address of the account is accepted', async () => {
    await shop.setAddress('Sales@Agency.example');
    await shop.paypal.setUpMerchant({ email: 'owner@agency.example', otherEmails: ['sales@agency.example'] });
    const order = await shop.placeOrder();
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await expectPaid(order);
  });
});

describe('no attack, but easily taken for one: a notification with', () => {
  test.each([
    ['windows-1252', 'René', 'Œuvré–“Smith”'],
    ['utf-8', 'Ørsted', '北京 Ł'],
  ] as const)(
    'names in %s, blanks in dates and empty fields makes the order Paid',
    async (charset, firstName, lastName) => {
      const address = `${charset}@example.com`;
      await shop.setAddress(address);
      await shop.paypal.setUpMerchant({ email: address, charset });
      const order = await shop.placeOrder();
      await shop.paypal.pay(await shop.form(order), { buyer: { firstName, lastName } });
      await shop.settled();
      await shop.setAddress(shopAddress);
      await expectPaid(order);
      const [notification] = await shop.paypal.ipns({ invoice: order.id });
      expect(notification!.body).toMatch(/payment_date=\d\d%3A\d\d%3A\d\d\+\w{3}\+\d\d%2C\+/);
      expect(notification!.body).toContain('shipping_method=&');
      const { payments } = await shop.storedOrder(order);
      const paidAt = new Date(payments[0]!.paidAt).getTime();
      // Read in another time zone, this time would be wrong by an hour or more.
      expect(Math.abs(paidAt - Date.parse(notification!.createdAt))).toBeLessThan(600_000);
    },
  );
});

test('PayPal’s data about buyers is neither in the log of the orders service nor in the timeline', async () => {
  const order = await shop.placeOrder();
  const buyer = { firstName: 'Zebedee', lastName: 'Quux', email: 'zebedee@example.net' };
  await shop.paypal.pay({ ...(await shop.form(order)), amount: '1.00' }, { buyer });
  await shop.settled();
  const texts = JSON.stringify(shop.site.orders[0]!.log) + JSON.stringify(await shop.timeline(order));
  expect(texts).not.toMatch(/zebedee|quux/i);
});

test('after all attacks, every notification is decided', async () => {
  await eventually(async () => expect(await shop.countNotifications('waiting')).toBe(0));
});
