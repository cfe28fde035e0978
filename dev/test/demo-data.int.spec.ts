import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Campaign, Customer, DemoData, Message, MessageWithThread, Order } from '#libs/contracts';
import { eventually, Session } from '#libs/testing';
import { demoOrders, demoPeople, demoSubscribers } from '../stack/demo-data/demo-people.js';
import { PayPalSimulator } from '../stand-ins/paypal/client.js';
import { Launch, temporaryDataDir } from './launcher.js';

const dataDir = temporaryDataDir();
let site: Launch;
let admin: Session;

beforeAll(async () => {
  site = new Launch(dataDir.path, { DEMO_DATA: 'yes', ADMIN_PASSWORD: 'a fine long password' });
  await signIn();
  await site.said(/Demo orders, messages and subscribers are ready/);
}, 180_000);
async function signIn(): Promise<void> {
  const credentials = { email: 'admin@example.com', password: 'a fine long password' };
  admin = await Session.signIn(await site.ready(), credentials);
}
afterAll(async () => {
  await site?.stop();
  dataDir.remove();
});

const get = async <T>(path: string) => (await admin.get<T>(path)).json;

test('the first start fills the back office, with orders in every state over some months', async () => {
  const orders = await get<Order[]>('/orders?sort=orderDate');
  expect(orders).toHaveLength(demoOrders.length);
  const numbers = (await get<Order[]>('/orders')).map(({ number }) => number!);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  const states = new Set(orders.map(({ paymentState, orderStatus }) => `${paymentState} ${orderStatus}`));
  expect([...states].sort()).toEqual([
    'cancelled Pending',
    'disputed Pending',
    'failed Pending',
    'paid Delivered',
    'paid Pending',
    'partially_refunded Delivered',
    'pending Pending',
    'refunded Pending',
    'unpaid Pending',
  ]);
  const months = new Set(orders.map(({ createdAt }) => createdAt.slice(0, 7)));
  expect(months.size).toBeGreaterThan(5);
  const now = Date.now();
  for (const { createdAt, updatedAt, payments } of orders) {
    const moments = [createdAt, updatedAt, ...payments.map(({ paidAt }) => paidAt)].map((at) =>
      Date.parse(at),
    );
    expect(Math.min(...moments)).toBeGreaterThan(now - 173 * 86_400_000);
    expect(Math.max(...moments)).toBeLessThan(now);
  }
});

test('the money of the orders is that of the simulator’s ledger', async () => {
  const orders = await get<Order[]>('/orders');
  const paypal = PayPalSimulator.at(site.stack.paypal!.url);
  for (const { _id, payments } of orders) {
    const { payments: paid } = await paypal.ledger({ invoice: _id });
    expect(payments.map(({ txnId, amount }) => [txnId, amount])).toEqual(
      paid.map(({ transactionId, gross }) => [transactionId, gross]),
    );
  }
});

test('there are customers, messages of which one is answered, and a campaign with figures', async () => {
  await eventually(async () => expect(await get<Customer[]>('/customers')).toHaveLength(demoPeople.length));
  const messages = await get<Message[]>('/messages');
  expect(messages.filter(({ answeredAt }) => answeredAt !== null)).toHaveLength(1);
  const answered = messages.find(({ answeredAt }) => answeredAt !== null)!;
  const { thread } = await get<MessageWithThread>(`/message/${answered._id}`);
  expect(Date.parse(thread[0]!.createdAt)).toBeLessThan(Date.now() - 30 * 86_400_000);
  const [campaign] = await get<Campaign[]>('/campaigns');
  expect(campaign).toMatchObject({
    state: 'sent',
    counts: { recipients: demoSubscribers.length, failed: 1, unsubscribed: 2 },
  });
  expect(await get('/audit')).toEqual([]);
});

test('it goes with one call, and does not come back at the next start', async () => {
  const { json } = await admin.delete<DemoData>('/demo-data');
  expect(json).toEqual({
    orders: demoOrders.length,
    customers: demoPeople.length,
    messages: 3,
    subscribers: demoSubscribers.length,
    campaigns: 1,
  });
  for (const list of ['/orders', '/messages', '/subscribers', '/campaigns'])
    expect(await get(list)).toEqual([]);
  await eventually(async () => expect(await get<Customer[]>('/customers')).toEqual([]));
  await site.stop();
  site = new Launch(dataDir.path, { DEMO_DATA: 'yes', ADMIN_PASSWORD: 'a fine long password' });
  await signIn();
  // The demo data begins with messages, within moments.
  const own = { fullName: 'Ada', emailAddress: 'ada@example.com', subject: 'Own', message: 'How much?' };
  expect((await admin.post('/add-message', own)).status).toBe(201);
  expect((await get<Message[]>('/messages')).map(({ subject }) => subject)).toEqual(['Own']);
  expect(await get<Order[]>('/orders')).toEqual([]);
});
