import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allSections } from '#libs/content-model';
import type { Order } from '#libs/contracts';
import { eventually, sampleBody, type Session } from '#libs/testing';
import { permutations, price, Shop, type StoredOrder } from './shop.harness.js';

let shop: Shop;
let admin: Session;

beforeAll(async () => {
  shop = await Shop.open({ without: ['messaging', 'projects'] });
  admin = await shop.site.admin();
});
afterAll(() => shop?.close());

describe('the cancel screen', () => {
  test('cancels the order before the payment; money that still arrives makes the order Paid and flags it', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    expect((await shop.cancel(order)).json).toMatchObject({ paymentStatus: 'Cancelled', payable: false });
    const again = await shop.payNow(order);
    expect([again.status, again.json.code]).toEqual([409, 'NOT_PAYABLE']);
    await shop.paypal.pay(form);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      flags: ['paid_after_cancel'],
    });
  });

  test('cannot cancel the order after the payment, and the order stays Paid', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    const answer = await shop.cancel(order);
    expect([answer.status, answer.json.code]).toEqual([409, 'ALREADY_PAID']);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
  });

  test('finds nothing for another person’s order, and neither do Pay Now and the return screen', async () => {
    const order = await shop.placeOrder();
    expect((await shop.payNow(order)).status).toBe(201);
    const customer = await shop.site.customer();
    const answers = [
      await shop.cancel(order, customer),
      await shop.payNow(order, customer),
      await customer.post(`/order/${order.id}/payment-return`, {}),
      await customer.get(`/order/${order.id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await shop.payNow(order, admin)).status).toBe(404);
    expect((await shop.payNow(order, shop.site.visitor)).status).toBe(401);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', version: 1 });
  });
});

test('fifty notifications, returns, polls and cancellations at the same time record one payment and publish one event that the order is paid', async () => {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
  const { payment } = await shop.paypal.pay(await shop.form(order));
  const [notification] = await shop.paypal.ipns({ invoice: order.id });
  const ten = <T>(call: () => Promise<T>) => Array.from({ length: 10 }, call);
  const answers = await Promise.all([
    ...ten(async () => (await shop.notify(notification!.body)).status),
    ...ten(async () => (await shop.notify(`${notification!.body}&resend=true`)).status),
    ...ten(async () => ((await shop.returnFromPayment(order, payment.transactionId)) ? 200 : 0)),
    ...ten(async () => (await order.customer.get(`/order/${order.id}`)).status),
    ...ten(async () => (await shop.cancel(order)).status),
  ]);
  expect(answers.filter((status) => ![200, 409].includes(status))).toEqual([]);
  await shop.settled();
  expect(await shop.paymentEvents(order)).toEqual(['Completed']);
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'Paid',
    payments: [{ txnId: payment.transactionId, state: 'received' }],
  });
  expect((await shop.outboxEvents(order)).filter((event) => event === 'orders.paid')).toHaveLength(1);
  expect((await shop.timeline(order)).filter(({ kind }) => kind === 'payment')).toHaveLength(1);
});

/** Without ids and times, which differ between orders. */
function finalState({ paymentStatus, paymentState, refundedCents, payments }: StoredOrder) {
  return {
    paymentStatus,
    paymentState,
    refundedCents,
    payments: payments.map(({ state, refunded }) => ({ state, refunded })),
  };
}

describe('the outcome does not depend on the sequence in which the notifications of a payment arrive', () => {
  const refunds = async (transaction: string) => {
    await shop.paypal.refund(transaction, '90.00');
    await shop.paypal.refund(transaction);
  };
  const dispute = async (transaction: string) => {
    await shop.paypal.dispute(transaction, 'opened');
    await shop.paypal.dispute(transaction, 'won');
  };
  test.each([
    [
      'refunds',
      refunds,
      {
        ...{ paymentStatus: 'Cancelled', paymentState: 'refunded', refundedCents: 29_000 },
        payments: [{ state: 'refunded', refunded: price }],
      },
    ],
    [
      'a dispute that is won',
      dispute,
      {
        ...{ paymentStatus: 'Paid', paymentState: 'paid', refundedCents: 0 },
        payments: [{ state: 'received', refunded: '0.00' }],
      },
    ],
  ] as const)('with %s', async (_what, act, expected) => {
    // The first payment only shows how many notifications there are.
    const { length } = (await payWithHeldNotifications(act)).notificationIds;
    for (const sequence of permutations(Array.from({ length }, (_, i) => i))) {
      const { order, notificationIds } = await payWithHeldNotifications(act);
      for (const index of sequence) {
        await shop.paypal.deliver([notificationIds[index]!]);
        await shop.settled();
      }
      expect({ sequence, ...finalState(await shop.storedOrder(order)) }).toEqual({ sequence, ...expected });
    }
  });

  /** `notificationIds` does not include the notification that a case was opened, because that one moves no money. */
  async function payWithHeldNotifications(act: (transaction: string) => Promise<void>) {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await act(payment.transactionId);
    const notifications = await shop.paypal.ipns({ invoice: order.id });
    const notificationIds = notifications.filter(({ about }) => about !== 'new_case').map(({ id }) => id);
    return { order, notificationIds };
  }
});

test('an order keeps its price when the package’s price changes afterwards', async () => {
  const pricing = allSections.find(({ routes }) => routes.create === '/add-pricing')!;
  const sample = { ...sampleBody(pricing), packageName: 'Premium', packagePrice: price };
  const offered = await admin.post<{ _id: string }>('/add-pricing', sample);
  const { customer } = shop;
  const body = {
    packageName: 'Premium',
    packagePrice: price,
    customerEmail: customer.email,
    customerName: 'Ada Lovelace',
    customerAddress: '1 Main Street',
    customerCountry: 'Denmark',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
  };
  const placed = await eventually(async () => {
    const answer = await customer.post<Order>('/new-order', body);
    expect(answer.status).toBe(201);
    return answer.json;
  });
  const order = { id: placed._id, customer };
  await admin.put(`/pricing/${offered.json._id}`, { ...sample, packagePrice: '990.00' });
  // The orders service learns of the new price later, and then refuses orders at the old one.
  await eventually(async () => expect((await customer.post('/new-order', body)).status).toBe(409));
  const form = await shop.form(order);
  expect(form.amount).toBe(price);
  await shop.paypal.pay(form);
  await shop.settled();
  expect((await customer.get<Order>(`/order/${order.id}`)).json).toMatchObject({
    paymentStatus: 'Paid',
    packagePrice: price,
    payments: [{ amount: price }],
  });
});

test('a customer who sets the payment status of an order is refused', async () => {
  const order = await shop.placeOrder();
  const answer = await order.customer.put(`/order/${order.id}`, { paymentStatus: 'Paid' });
  expect(answer.status).toBe(403);
  expect((await shop.site.visitor.put(`/order/${order.id}`, { paymentStatus: 'Paid' })).status).toBe(401);
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', version: 1 });
});

describe('what admins set and see', () => {
  test('a refund flags an order whose payment status an admin has set, instead of changing the status', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    expect((await admin.put(`/order/${order.id}`, { paymentStatus: 'Paid' })).status).toBe(200);
    const { payment } = await shop.paypal.pay(form);
    await shop.settled();
    await shop.paypal.refund(payment.transactionId);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      flags: expect.arrayContaining(['override_disagrees', 'refunded']),
      refundedCents: 29_000,
      payments: [{ state: 'refunded' }],
    });
  });

  test('an admin sees the checks that failed, and the customer does not', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.pay({ ...(await shop.form(order)), amount: '1.00' });
    await shop.settled();
    const lastEntry = async (reader: Session) =>
      (await reader.get<{ kind: string; evidence: object }[]>(`/order/${order.id}/timeline`)).json.at(-1);
    expect(await lastEntry(admin)).toMatchObject({
      kind: 'notice_held',
      evidence: { failed: [{ check: 'mc_gross', expected: price, found: '1.00' }], mc_gross: '1.00' },
    });
    expect(await lastEntry(order.customer)).toMatchObject({ kind: 'notice_held', evidence: {} });
  });
});

describe('an e-check', () => {
  test('leaves the order pending and not payable, and makes it Paid when it clears', async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order), { with: 'echeck' });
    await shop.settled();
    expect(await shop.returnFromPayment(order)).toBe('pending');
    expect((await order.customer.get<Order>(`/order/${order.id}`)).json).toMatchObject({
      paymentStatus: 'UnPaid',
      paymentState: 'pending',
      payable: false,
    });
    await shop.paypal.clearEcheck(payment.transactionId);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Paid',
      payments: [{ state: 'received' }],
    });
    expect(await shop.paymentEvents(order)).toEqual(['Pending', 'Completed']);
  });

  test('that fails leaves the order payable by a new payment attempt', async () => {
    const order = await shop.placeOrder();
    const form = await shop.form(order);
    const { payment } = await shop.paypal.pay(form, { with: 'echeck' });
    await shop.paypal.failEcheck(payment.transactionId);
    await shop.settled();
    expect(await shop.returnFromPayment(order)).toBe('failed');
    const next = await shop.form(order);
    expect(next.custom).not.toBe(form.custom);
    await shop.paypal.pay(next);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentState: 'paid' });
  });
});

test('a case that the buyer opens is recorded, and the order is cancelled until the seller wins the case', async () => {
  const order = await shop.placeOrder();
  const { payment } = await shop.paypal.pay(await shop.form(order));
  await shop.paypal.dispute(payment.transactionId, 'opened');
  await shop.settled();
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'Cancelled',
    paymentState: 'disputed',
    flags: expect.arrayContaining(['case_opened', 'disputed']),
  });
  expect((await shop.timeline(order)).map(({ text }) => text)).toContain(
    'The customer opened a case at PayPal.',
  );
  expect(await shop.returnFromPayment(order)).toBe('under_review');
  await shop.paypal.dispute(payment.transactionId, 'won');
  await shop.settled();
  expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', paymentState: 'paid' });
});
