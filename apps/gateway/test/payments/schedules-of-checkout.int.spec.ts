import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Customer, OrdersSummary } from '#libs/contracts';
import { eventually, sampleEvery } from '#libs/testing';
import { app, permutations, type PlacedOrder, Shop } from './shop.harness.js';

const concurrency = 6;

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.open({
    product: 'checkout',
    settings: { LIMIT_NOTICES: '100000/60', LIMIT_PAYMENTS: '100000/60' },
  });
});
afterAll(() => shop?.close());

const steps = ['return', 'approved', 'completed', 'cancel'] as const;
type Step = (typeof steps)[number];

/** Delivers the order's webhook of this type, or a synthetic one if there is none yet. */
async function deliverWebhook(order: PlacedOrder, type: string): Promise<void> {
  const webhooks = await shop.paypal.webhooks({ invoice: await shop.invoiceOf(order) });
  const found = webhooks.find(({ eventType }) => eventType === type);
  if (found) await shop.paypal.deliver([found.id]);
  else
    await shop.paypal.sendWebhook({
      ...{ url: shop.webhookUrl, webhookId: app.webhookId, copyFromId: webhooks[0]!.id },
      event: { event_type: type },
    });
  await eventually(async () =>
    expect((await shop.decisions(order)).filter(({ status }) => status === 'waiting')).toEqual([]),
  );
}

async function take(order: PlacedOrder, step: Step): Promise<void> {
  if (step === 'return') await shop.returnFromPayment(order);
  if (step === 'approved') await deliverWebhook(order, 'CHECKOUT.ORDER.APPROVED');
  if (step === 'completed') await deliverWebhook(order, 'PAYMENT.CAPTURE.COMPLETED');
  if (step === 'cancel') await shop.cancel(order);
}

async function play(sequence: readonly Step[]): Promise<void> {
  const order = await shop.placeOrder();
  await shop.paypal.misbehave({ invoice: await shop.invoiceOf(order) }, { hold: true });
  await shop.pay(order);
  // Otherwise, a scheduled inquiry could capture the payment before the steps.
  await shop.cancelInquiries(order);
  for (const step of sequence) await take(order, step);
  // The buyer is charged unless the cancellation came first.
  const isCharged = sequence[0] !== 'cancel';
  expect({ sequence, payments: await shop.payments(order) }).toMatchObject({
    sequence,
    payments: isCharged ? [{ standing: 'Completed' }] : [],
  });
  expect({ sequence, ...(await shop.storedOrder(order)) }).toMatchObject({
    sequence,
    ...{ paymentStatus: isCharged ? 'Paid' : 'Cancelled', flags: [] },
  });
}

const totalCents = (amounts: readonly string[]) =>
  amounts.reduce((total, amount) => total + Math.round(Number(amount) * 100), 0);

/** Compares PayPal's books with the export, both summaries and the list of customers. */
async function expectBalanced(): Promise<void> {
  const { payments } = await shop.paypal.ledger();
  const books = {
    sales: totalCents(payments.map(({ gross }) => gross)),
    refunded: totalCents(payments.map(({ refunded }) => refunded)),
  };
  const admin = await shop.site.admin();
  const [head, ...rows] = (await admin.get('/orders/export')).text
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
  const column = (name: string) => head!.findIndex((title) => title.includes(name));
  const paid = rows.filter((row) => row[column('Payment status')] === 'Paid');
  expect({
    sales: totalCents(paid.map((row) => row[column('Price (USD)')]!)),
    refunded: totalCents(rows.map((row) => row[column('Refunded (USD)')]!)),
  }).toEqual(books);
  const totals = async (address: string, reader = admin) => {
    const { totalSales, refunded } = (await reader.get<OrdersSummary>(address)).json;
    return { sales: totalCents([totalSales]), refunded: totalCents([refunded]) };
  };
  await eventually(async () => {
    expect(await totals('/orders/summary')).toEqual(books);
    expect(await totals('/orders/summary?own=true', shop.customer)).toEqual(books);
    const [customer] = (await admin.get<Customer[]>(`/customers?email=${shop.customer.email}`)).json;
    expect({ sales: totalCents([customer!.spent]), refunded: totalCents([customer!.refunded]) }).toEqual(
      books,
    );
  });
}

// `npm run test:full` tries all 24 sequences.
test('return, webhooks and cancellation, in any sequence: the shop’s totals equal PayPal’s books to the cent', async () => {
  const sequences = sampleEvery(4, permutations(steps));
  for (let i = 0; i < sequences.length; i += concurrency)
    await Promise.all(sequences.slice(i, i + concurrency).map(play));
  await expectBalanced();
  // A part of each payment is refunded, and PayPal's webhooks arrive in reverse order.
  for (const { transactionId } of (await shop.paypal.ledger()).payments)
    await shop.paypal.refund(transactionId, '7.25');
  const held = await shop.paypal.webhooks({ state: 'held' });
  await shop.paypal.deliver(held.map(({ id }) => id).reverse());
  await shop.settled();
  await expectBalanced();
});
