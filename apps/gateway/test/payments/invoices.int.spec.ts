import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Invoice, InvoiceDocument, OrderPayment } from '#libs/contracts';
import { eventually, type Session } from '#libs/testing';
import { operations } from '#libs/operations';
import type { Problem } from '../../problem/problem.js';
import { sampleRequest } from '../sample-requests.js';
import { accountIdOf } from '../site.harness.js';
import { type Plan, Plans } from './plans.harness.js';
import type { PlacedOrder, Shop } from './shop.harness.js';

let shop: Shop;
let plans: Plans;
let admin: Session;

beforeAll(async () => {
  plans = await Plans.open();
  shop = plans.shop;
  // All payments are in the middle of a day, so no date depends on the time at which this runs.
  await shop.paypal.startClockAt(new Date('2027-01-31T12:00:00Z'));
  admin = await shop.site.admin();
  const { body } = sampleRequest(
    operations.find(({ operationId }) => operationId === 'updateInvoiceSettings')!,
  );
  const settings = {
    ...body,
    countryCode: 'DE',
    vatId: 'DE123456789',
    taxMode: 'inclusive',
    timeZone: 'Europe/Berlin',
  };
  expect((await admin.put('/invoice-settings', settings)).status).toBe(200);
});
afterAll(() => shop?.close());

const invoicesOf = async (reader: Session, { id }: { id: string }) =>
  (await reader.get<Invoice[]>(`/invoices?order=${id}&direction=asc`)).json;

/** Oldest first, once there are `count`. */
const documentsOf = ({ id }: { id: string }, count: number) =>
  eventually(async () => {
    const { rows } = await shop.sql.query<{ document: InvoiceDocument }>(
      'SELECT document FROM invoices WHERE order_id = $1 ORDER BY issued_at, id',
      [id],
    );
    expect(rows).toHaveLength(count);
    return rows.map(({ document }) => document);
  });

const summariesOf = (documents: InvoiceDocument[]) =>
  documents.map(({ kind, cause, grossCents }) => `${kind} ${cause} ${grossCents}`);

async function paidOrder(): Promise<PlacedOrder & { txnId: string }> {
  const order = await shop.placeOrder();
  await shop.pay(order);
  await shop.settled();
  const [payment] = await shop.payments(order);
  return { ...order, txnId: payment!.transactionId };
}

async function orderOf(plan: Plan, cycle: number): Promise<{ id: string; payments: OrderPayment[] }> {
  const { rows } = await shop.sql.query<{ id: string; payments: OrderPayment[] }>(
    'SELECT id, payments FROM orders WHERE subscription_id = $1 AND cycle = $2',
    [plan.id, cycle],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

/** For every order, the documents add up to the money that was received and neither refunded nor disputed. */
async function expectDocumentsAddUp(): Promise<void> {
  const { rows } = await shop.sql.query<{ number: string }>(
    `SELECT o.number FROM orders o WHERE
       (SELECT coalesce(sum(CASE kind WHEN 'invoice' THEN gross_cents ELSE -gross_cents END), 0)
        FROM invoices WHERE order_id = o.id) <>
       (SELECT coalesce(sum(((payment->>'amount')::numeric - (payment->>'refunded')::numeric) * 100), 0) - o.disputed_cents
        FROM jsonb_array_elements(o.payments) payment WHERE payment->>'state' NOT IN ('pending', 'failed'))`,
  );
  expect(rows).toEqual([]);
}

test('an order has a document for its payment, a partial refund by an admin, its dispute, and the end of the dispute', async () => {
  const order = await paidOrder();
  const [invoice] = await documentsOf(order, 1);
  expect(invoice).toMatchObject({
    ...{ kind: 'invoice', netCents: 24_370, taxCents: 4_630, grossCents: 29_000, item: { period: null } },
    payment: { method: 'PayPal', reference: order.txnId },
  });
  const refund = { txnId: order.txnId, amount: '49.99', reason: 'One week was not delivered.' };
  expect((await admin.post(`/order/${order.id}/refund`, refund)).status).toBe(201);
  await documentsOf(order, 2);
  await shop.paypal.dispute(order.txnId, 'opened');
  await shop.settled();
  await documentsOf(order, 3);
  await shop.paypal.dispute(order.txnId, 'won');
  await shop.settled();
  expect(summariesOf(await documentsOf(order, 4))).toEqual([
    'invoice payment 29000',
    'credit_note refund 4999',
    'credit_note dispute 24001',
    'invoice dispute_closed 24001',
  ]);
});

test('a lost dispute about a part of a payment has one credit note, and is mailed as a refund', async () => {
  const order = await paidOrder();
  await shop.paypal.dispute(order.txnId, 'opened', '200.00');
  await shop.settled();
  await documentsOf(order, 2);
  await shop.paypal.dispute(order.txnId, 'lost');
  await shop.settled();
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({
      ...{ paymentStatus: 'Paid', paymentState: 'partially_refunded', refundedCents: 20_000 },
    }),
  );
  expect(summariesOf(await documentsOf(order, 2))).toEqual([
    'invoice payment 29000',
    'credit_note dispute 20000',
  ]);
  expect(await shop.outboxEvents(order)).toEqual(['orders.paid', 'payments.flagged', 'orders.refunded']);
  await expectDocumentsAddUp();
});

test('each charge of a plan has its invoice, for the month that it pays; refunds and reversals are credited', async () => {
  const plan = await plans.subscribe({ customer: await shop.site.customer() });
  await plans.toNextCharge(plan);
  await plans.toNextCharge(plan);
  const orders = await Promise.all([1, 2, 3].map((cycle) => orderOf(plan, cycle)));
  const invoices = await Promise.all(orders.map(async (order) => (await documentsOf(order, 1))[0]!));
  expect(invoices.map(({ item, payment }) => [payment!.on, item.period!.from, item.period!.to])).toEqual([
    ['2027-01-31', '2027-01-31', '2027-02-27'],
    ['2027-02-28', '2027-02-28', '2027-03-30'],
    ['2027-03-31', '2027-03-31', '2027-04-29'],
  ]);
  const [first, , third] = orders;
  await shop.paypal.refund(first!.payments[0]!.txnId, '90.00');
  await shop.paypal.dispute(third!.payments[0]!.txnId, 'opened');
  await plans.settled();
  await eventually(async () =>
    expect(await plans.chargeOrders(plan)).toMatchObject([
      { paymentState: 'partially_refunded' },
      { paymentState: 'paid' },
      // PayPal reverses a disputed charge, and reports it as refunded.
      { paymentState: 'refunded' },
    ]),
  );
  const [, credit] = await documentsOf(first!, 2);
  expect(credit).toMatchObject({
    ...{ kind: 'credit_note', grossCents: 9_000, cites: { number: invoices[0]!.number } },
    item: invoices[0]!.item,
  });
  expect(summariesOf(await documentsOf(third!, 2))).toEqual([
    'invoice payment 29000',
    // The cause is the dispute or the reversal, depending on which webhook is processed first.
    expect.stringMatching(/^credit_note (dispute|refund) 29000$/),
  ]);
  await expectDocumentsAddUp();
});

test('the invoice of each charge of a plan has the billing details that the account has at that time', async () => {
  const customer = await shop.site.customer();
  const plan = await plans.subscribe({ customer });
  const details = {
    ...{ company: 'Analytical Engines SAS', addressLine1: '1 rue de la Paix', addressLine2: '' },
    ...{ postalCode: '75002', city: 'Paris', countryCode: 'FR', vatId: '' },
  };
  expect((await customer.put('/billing-details', details)).status).toBe(200);
  await plans.toNextCharge(plan);
  const [first, second] = await Promise.all([1, 2].map((cycle) => orderOf(plan, cycle)));
  const [invoice] = await documentsOf(second!, 1);
  expect(JSON.stringify(invoice)).toContain('Analytical Engines SAS');
  expect(JSON.stringify(await documentsOf(first!, 1))).not.toContain('Analytical Engines SAS');
});

test('no other customer finds an invoice, visitors cannot read it, and only admins correct it or read the settings', async () => {
  const order = await paidOrder();
  await documentsOf(order, 1);
  // The API's answer about an invoice changes when its file is rendered, so the comparisons below wait for that.
  const own = await eventually(async () => {
    const [invoice] = await invoicesOf(order.customer, order);
    expect(invoice?.file).toBe('ready');
    return invoice!;
  });
  const eve = await shop.site.customer();
  const path = `/invoice/${own._id}`;
  expect((await order.customer.get<Invoice>(path)).json).toEqual(own);
  expect((await admin.get<Invoice>(path)).json).toEqual(own);
  const { status, json } = await eve.get<Problem>(path);
  expect([status, json.code]).toEqual([404, 'NOT_FOUND']);
  const accountId = accountIdOf(order.customer);
  for (const query of [`order=${order.id}`, `customer=${accountId}`, 'own=false', `search=${own.number}`])
    expect((await eve.get<Invoice[]>(`/invoices?${query}`)).json).toEqual([]);
  const correction = { name: 'Eve' };
  for (const customer of [eve, order.customer])
    expect((await customer.post(`${path}/correction`, correction)).status).toBe(403);
  for (const call of [path, '/invoices', '/invoice-settings'])
    expect((await shop.site.visitor.get(call)).status).toBe(401);
  for (const customer of [eve, order.customer])
    expect((await customer.get('/invoice-settings')).status).toBe(403);
});

test('an invoice is corrected once for each Idempotency-Key', async () => {
  const order = await paidOrder();
  await documentsOf(order, 1);
  const [wrong] = await invoicesOf(admin, order);
  const correct = () =>
    admin.post(
      `/invoice/${wrong!._id}/correction`,
      { name: 'Ada King' },
      { headers: { 'Idempotency-Key': order.id } },
    );
  const [answer, again] = [await correct(), await correct()];
  expect([answer.status, again.text]).toEqual([200, answer.text]);
  expect(summariesOf(await documentsOf(order, 3))).toEqual([
    'invoice payment 29000',
    'credit_note correction 29000',
    'invoice correction 29000',
  ]);
});
