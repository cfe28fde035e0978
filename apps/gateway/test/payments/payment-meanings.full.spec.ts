import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Order, OrdersSummary } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { accountIdOf } from '../site.harness.js';
import { type PlacedOrder, Shop } from './shop.harness.js';

// What PayPal's notifications and an admin's override mean for an order: its status, its flags, and whether it can be paid.

let shop: Shop;
let admin: Session;

beforeAll(async () => {
  shop = await Shop.open();
  admin = await shop.site.admin();
});
afterAll(() => shop?.close());

const read = async ({ id, customer }: PlacedOrder) => (await customer.get<Order>(`/order/${id}`)).json;
const override = ({ id }: PlacedOrder, paymentStatus: 'Paid' | 'UnPaid') =>
  admin.put<Order>(`/order/${id}`, { paymentStatus });
const texts = async (order: PlacedOrder) => (await shop.timeline(order)).map(({ text }) => text);

/** All screens with Pay Now read `payable`; the call that starts a payment must agree with it. */
async function expectNotPayable(order: PlacedOrder, words: RegExp): Promise<Order> {
  const list = (await order.customer.get<Order[]>('/orders?own=true&limit=1000')).json;
  expect(list.find(({ _id }) => _id === order.id)).toMatchObject({ payable: false });
  const current = await read(order);
  expect(current.payable).toBe(false);
  const answer = await shop.payNow(order);
  expect([answer.status, answer.json.code]).toEqual([409, 'NOT_PAYABLE']);
  expect(answer.json.detail).toMatch(words);
  return current;
}

async function paidOrder(order?: PlacedOrder) {
  const placed = order ?? (await shop.placeOrder());
  const { payment } = await shop.paypal.pay(await shop.form(placed));
  await shop.settled();
  const [completed] = await shop.paypal.ipns({ transactionId: payment.transactionId });
  return { order: placed, payment, completedIpnId: completed!.id };
}

let count = 0;
/** Sends a copy of a notification with other `fields`, about an earlier transaction. PayPal confirms the copy. */
async function sendFollowUp(
  transactionId: string,
  copyFromId: string,
  fields: Record<string, string | null>,
): Promise<void> {
  const txnId = `FOLLOW${String((count += 1)).padStart(11, '0')}`;
  const basis = { txn_id: txnId, parent_txn_id: transactionId, txn_type: null, mc_fee: null };
  await shop.paypal.sendIpn({ url: shop.ipnUrl, copyFromId, fields: { ...basis, ...fields } });
  await shop.settled();
}

describe('an admin’s override and a cancellation', () => {
  test('a paid order that an admin set to UnPaid becomes Cancelled when the customer cancels it, and not Paid again', async () => {
    const { order } = await paidOrder();
    expect((await override(order, 'UnPaid')).json).toMatchObject({ paymentStatus: 'UnPaid', payable: false });
    expect((await shop.cancel(order)).json).toMatchObject({
      paymentStatus: 'Cancelled',
      paymentState: 'cancelled',
      cancelledBy: 'customer',
    });
    expect(await shop.storedOrder(order)).toMatchObject({ flags: ['override_disagrees'] });
    expect(await shop.outboxEvents(order)).toEqual(['orders.paid', 'orders.cancelled', 'payments.flagged']);
  });

  test('money for an order that an admin set to UnPaid and then cancelled flags the order, and does not change its status', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    // An override to the status that the order already has is not stored.
    await override(order, 'Paid');
    await override(order, 'UnPaid');
    await shop.cancel(order, admin);
    await shop.paypal.pay(form);
    await shop.settled();
    expect(await read(order)).toMatchObject({
      paymentStatus: 'Cancelled',
      cancelledBy: 'admin',
      payments: [{ state: 'received' }],
    });
    expect((await shop.storedOrder(order)).flags.sort()).toEqual(['override_disagrees', 'paid_after_cancel']);
  });
});

describe('a payment that PayPal reviews', () => {
  test('and refuses has failed: no money is shown as moved, and the order may be paid again', async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order), { with: 'review' });
    await shop.settled();
    const [pending] = await shop.paypal.ipns({ transactionId: payment.transactionId });
    await expectNotPayable(order, /pending/);
    await sendFollowUp(payment.transactionId, pending!.id, {
      payment_status: 'Reversed',
      mc_gross: '-290.00',
      pending_reason: null,
      reason_code: 'other',
    });
    expect(await read(order)).toMatchObject({
      paymentStatus: 'UnPaid',
      paymentState: 'failed',
      payable: true,
    });
    expect((await texts(order)).at(-1)).toBe(
      'PayPal did not accept the payment of 290.00 USD. No money was received (other).',
    );
    expect(await shop.outboxEvents(order)).toEqual(['orders.paymentFailed']);
    expect(await shop.returnFromPayment(order)).toBe('failed');
    await paidOrder(order);
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', paidTwice: false });
  });

  test('is not shown as received or taken back while only its reversal is known', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order), { with: 'review' });
    const [pending] = await shop.paypal.ipns({ invoice: order.id });
    await sendFollowUp(payment.transactionId, pending!.id, {
      payment_status: 'Reversed',
      mc_gross: '-290.00',
      pending_reason: null,
    });
    expect((await texts(order)).at(-1)).toBe('PayPal reversed a payment of 290.00 USD.');
    await shop.paypal.deliver([pending!.id]);
    await shop.settled();
    expect(await read(order)).toMatchObject({ paymentState: 'failed', payable: true });
  });

  test.each([
    ['Refunded', '-290.00', 'PayPal reported a refund of 290.00 USD.'],
    ['Canceled_Reversal', '290.00', 'PayPal cancelled the reversal of a payment of 290.00 USD.'],
  ])('is not shown as received while only a notification of %s is known', async (status, gross, sentence) => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order), { with: 'review' });
    const [pending] = await shop.paypal.ipns({ invoice: order.id });
    await sendFollowUp(payment.transactionId, pending!.id, {
      payment_status: status,
      mc_gross: gross,
      pending_reason: null,
    });
    expect((await texts(order)).at(-1)).toBe(sentence);
  });

  test('is flagged if the shop has to accept it, unless it was completed meanwhile', async () => {
    const [waiting, done] = [await shop.placeOrder(), await shop.placeOrder()];
    for (const order of [waiting, done]) {
      await shop.paypal.misbehave(
        { invoice: order.id },
        { fields: { pending_reason: 'multi_currency' }, statuses: ['Pending'], hold: order === done },
      );
    }
    await shop.paypal.pay(await shop.form(waiting), { with: 'review' });
    await shop.settled();
    expect(await shop.storedOrder(waiting)).toMatchObject({
      paymentState: 'pending',
      flags: ['acceptance_needed'],
    });
    const { payment } = await shop.paypal.pay(await shop.form(done), { with: 'review' });
    await shop.paypal.settle(payment.transactionId, 'Completed');
    await shop.settled();
    const held = await shop.paypal.ipns({ invoice: done.id, state: 'held' });
    await shop.paypal.deliver(held.map(({ id }) => id));
    await shop.settled();
    expect(await shop.storedOrder(done)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  });
});

describe('disputes', () => {
  test('a chargeback’s settlement cancels the order, and winning the dispute makes it Paid again', async () => {
    const { order, payment, completedIpnId } = await paidOrder();
    // Settlements do not name a receiver.
    const unnamed = { business: null, receiver_email: null, receiver_id: null };
    const settlement = { txn_type: 'adjustment', payment_status: 'Completed', ...unnamed };
    await sendFollowUp(payment.transactionId, completedIpnId, {
      ...settlement,
      mc_gross: '-290.00',
      reason_code: 'chargeback_settlement',
    });
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Cancelled',
      paymentState: 'disputed',
      flags: ['disputed'],
    });
    expect(await read(order)).toMatchObject({ disputed: '290.00' });
    expect((await texts(order)).at(-1)).toMatch(/ \(chargeback settlement\)\.$/);
    await sendFollowUp(payment.transactionId, completedIpnId, { ...settlement, mc_gross: '290.00' });
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', disputed: '0.00' });
    const { rows } = await shop.sql.query<{ reason: string }>(
      `SELECT payload->>'reason' AS reason FROM outbox_messages
       WHERE event = 'orders.paid' AND payload->>'orderId' = $1 ORDER BY id`,
      [order.id],
    );
    expect(rows.map(({ reason }) => reason)).toEqual(['payment', 'dispute_closed']);
  });

  test('a Canceled_Reversal whose parent is the reversal, not the payment, is shown as the end of the dispute', async () => {
    const { order, payment, completedIpnId } = await paidOrder();
    await sendFollowUp(payment.transactionId, completedIpnId, {
      ...{ txn_id: 'REVERSAL', payment_status: 'Reversed', mc_gross: '-290.00' },
    });
    await sendFollowUp('REVERSAL', completedIpnId, {
      payment_status: 'Canceled_Reversal',
      mc_gross: '290.00',
    });
    expect((await texts(order)).at(-1)).toBe('The dispute is over: PayPal gave 290.00 USD back.');
  });

  test('a reversal of one dollar flags the order, which stays paid', async () => {
    const { order, payment, completedIpnId } = await paidOrder();
    await sendFollowUp(payment.transactionId, completedIpnId, {
      payment_status: 'Reversed',
      mc_gross: '-1.00',
    });
    expect(await read(order)).toMatchObject({
      paymentStatus: 'Paid',
      paymentState: 'paid',
      disputed: '1.00',
    });
    expect(await shop.storedOrder(order)).toMatchObject({ flags: ['disputed'] });
  });

  test('a reversal of the amount minus PayPal’s fee counts as a reversal of the whole payment', async () => {
    const { order, payment, completedIpnId } = await paidOrder();
    const net = ((29_000 - Math.round(Number(payment.fee) * 100)) / 100).toFixed(2);
    await sendFollowUp(payment.transactionId, completedIpnId, {
      payment_status: 'Reversed',
      mc_gross: `-${net}`,
    });
    expect(await read(order)).toMatchObject({ paymentState: 'disputed', disputed: '290.00' });
  });

  test('a case that the buyer opens is flagged before any money moves', async () => {
    const { order, payment, completedIpnId } = await paidOrder();
    await sendFollowUp(payment.transactionId, completedIpnId, {
      ...{ txn_type: 'new_case', payment_status: null, mc_gross: null, mc_currency: null },
      ...{ case_id: 'PP-000', case_type: 'dispute' },
    });
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: ['case_opened'] });
    expect(await shop.outboxEvents(order)).toEqual(['orders.paid', 'payments.flagged']);
  });
});

test('money for an order whose account was deleted is flagged', async () => {
  const customer = await shop.site.customer();
  const order = await shop.placeOrderBy(customer);
  const form = await shop.form(order);
  await shop.sql.query('INSERT INTO deleted_accounts (account_id, deleted_at) VALUES ($1, now())', [
    accountIdOf(customer),
  ]);
  await shop.paypal.pay(form);
  await shop.settled();
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: ['account_deleted'] });
});

describe('refunds', () => {
  test('in parts publish one event each and agree with every total to the cent; refunding the rest cancels the order', async () => {
    const customer = await shop.site.customer();
    const totals = async () => (await customer.get<OrdersSummary>('/orders/summary?own=true')).json;
    const { order, payment } = await paidOrder(await shop.placeOrderBy(customer));
    for (const amount of ['10.05', '0.95']) {
      await shop.paypal.refund(payment.transactionId, amount);
      await shop.settled();
    }
    expect(await read(order)).toMatchObject({
      paymentState: 'partially_refunded',
      refunded: '11.00',
      payments: [{ refunded: '11.00' }],
    });
    await eventually(async () =>
      expect(await totals()).toMatchObject({ totalSales: '290.00', refunded: '11.00' }),
    );
    const csv = (await admin.get(`/orders/export?search=${order.id}`)).text.split('\r\n');
    const column = csv[0]!.split(',').findIndex((name) => name.includes('Refunded (USD)'));
    expect(csv[1]!.split(',')[column]).toBe('"11.00"');
    // The order's number is in the last column, because programs may read the other columns by their position.
    const { number } = (await admin.get<Order>(`/order/${order.id}`)).json;
    expect([csv[0]!.split(',').at(-1), csv[1]!.split(',').at(-1)]).toEqual(['"Number"', `"${number}"`]);
    expect((await texts(order)).slice(-2)).toEqual([
      '10.05 USD was refunded to the customer through PayPal (refund).',
      '0.95 USD was refunded to the customer through PayPal (refund).',
    ]);
    const { rows } = await shop.sql.query<{ amount: string }>(
      `SELECT payload->>'amount' AS amount FROM outbox_messages
       WHERE event = 'orders.refunded' AND payload->>'orderId' = $1 ORDER BY id`,
      [order.id],
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['10.05', '0.95']);
    await shop.paypal.refund(payment.transactionId);
    await shop.settled();
    expect(await shop.outboxEvents(order)).toEqual([
      ...['orders.paid', 'orders.refunded', 'orders.refunded'],
      ...['orders.cancelled', 'payments.flagged'],
    ]);
  });
});

describe('an order must not be paid again', () => {
  test('while a payment waits for an admin’s review', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.pay({ ...(await shop.form(order)), amount: '1.00' });
    await shop.settled();
    const underReview = await expectNotPayable(order, /under review/);
    expect(underReview).toMatchObject({ paymentStatus: 'UnPaid', paymentHold: 'under_review' });
    expect(await shop.returnFromPayment(order)).toBe('under_review');
    await admin.post(`/order/${order.id}/flags-cleared`, {});
    expect(await read(order)).toMatchObject({ payable: true, paymentHold: null });
    await paidOrder(order);
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', paymentHold: null });
  });

  test('while PayPal has not confirmed a notification about it', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.setPostbackMode('error', { match: { invoice: order.id } });
    await shop.paypal.pay(await shop.form(order));
    await shop.paypal.waitUntilIdle();
    const unconfirmed = await expectNotPayable(order, /being confirmed/);
    expect(unconfirmed).toMatchObject({ paymentStatus: 'UnPaid', paymentHold: 'confirming' });
    await shop.paypal.behave({ invoice: order.id });
    await shop.settled();
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', payable: false, paymentHold: null });
  });

  test('once the customer has returned from the checkout, before a notification has arrived', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    await shop.paypal.pay(await shop.form(order));
    expect(await read(order)).toMatchObject({ payable: true });
    expect(await shop.returnFromPayment(order)).toBe('confirming');
    expect(await expectNotPayable(order, /being confirmed/)).toMatchObject({ paymentHold: 'confirming' });
    const held = await shop.paypal.ipns({ invoice: order.id });
    await shop.paypal.deliver(held.map(({ id }) => id));
    await shop.settled();
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', paymentHold: null });
  });

  test('once the customer has returned, unless the attempt was reported as missed', async () => {
    const order = await shop.placeOrder();
    await shop.form(order);
    expect(await shop.returnFromPayment(order)).toBe('confirming');
    await shop.sql.query('UPDATE payment_attempts SET missed_at = now() WHERE order_id = $1', [order.id]);
    expect(await read(order)).toMatchObject({ payable: true, paymentHold: null });
    await shop.form(order);
  });

  test('but if it is, the second payment shows on the order and publishes an event', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    await shop.paypal.pay(form);
    await shop.paypal.pay(form);
    await shop.settled();
    expect(await read(order)).toMatchObject({ paymentStatus: 'Paid', paidTwice: true });
    expect((await shop.outboxEvents(order)).sort()).toEqual(['orders.paid', 'payments.flagged']);
  });
});
