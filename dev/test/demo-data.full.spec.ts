import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type {
  Campaign,
  Customer,
  DemoDataCounts,
  Mail,
  Message,
  MessageWithThread,
  Order,
  PlanSubscription,
  StaffProject,
  StaffThread,
  SubscriptionFigures,
  TimeMachine,
} from '#libs/contracts';
import { projectState } from '#libs/contracts';
import { eventually, Session } from '#libs/testing';
import { demoOrders, demoPeople, demoSubscribers } from '../stack/demo-data/demo-history.js';
import { PayPalSimulator } from '../stand-ins/paypal/client.js';
import { Launch, temporaryDataDir } from './launcher.js';

const dataDir = temporaryDataDir();
let site: Launch;
let admin: Session;

beforeAll(async () => {
  site = new Launch(dataDir.path, { DEMO_DATA: 'yes', ADMIN_PASSWORD: 'a fine long password' });
  const credentials = { email: 'admin@example.com', password: 'a fine long password' };
  admin = await Session.signIn(await site.ready(), credentials);
  await site.waitForOutput(
    /Demo orders, monthly plans, projects, messages and subscribers are ready/,
    150_000,
  );
}, 240_000);
afterAll(async () => {
  await site?.stop();
  dataDir.remove();
});

const get = async <T>(path: string) => (await admin.get<T>(path)).json;
const isChargeOrder = ({ renewal }: Order) => renewal !== null;
const plans = () => get<PlanSubscription[]>('/plan-subscriptions?direction=asc');
const day = 86_400_000;
const chargesPerPlan = [6, 2, 3, 2, 1];
const demoChargeCount = chargesPerPlan.reduce((sum, charges) => sum + charges);

test('the first start makes orders in every state, dated over several months and numbered in order of their dates', async () => {
  const orders = await get<Order[]>('/orders?sort=orderDate&limit=100');
  expect(orders.filter((order) => !isChargeOrder(order))).toHaveLength(demoOrders.length);
  const numbers = (await get<Order[]>('/orders?limit=100')).map(({ number }) => number!);
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
  // The oldest demo order was placed 171 days ago.
  for (const { createdAt, updatedAt, payments } of orders) {
    const moments = [createdAt, updatedAt, ...payments.map(({ paidAt }) => paidAt)].map((at) =>
      Date.parse(at),
    );
    expect(Math.min(...moments)).toBeGreaterThan(now - 173 * day);
    expect(Math.max(...moments)).toBeLessThan(now);
  }
});

test('the payments of each order, except orders of charges, are those in the simulator’s ledger', async () => {
  const orders = (await get<Order[]>('/orders?limit=100')).filter((order) => !isChargeOrder(order));
  const paypal = PayPalSimulator.at(site.stack.paypal!.url);
  for (const { _id, payments } of orders) {
    const { payments: paid } = await paypal.ledger({ invoice: _id });
    expect(payments.map(({ txnId, amount }) => [txnId, amount])).toEqual(
      paid.map(({ transactionId, gross }) => [transactionId, gross]),
    );
  }
});

test('monthly plans are in different states, and the orders of their charges have the dates of the payments', async () => {
  const allPlans = await plans();
  const facts = allPlans.map(({ state, cycles }) => `${state} after ${cycles} charges`);
  expect(facts).toEqual([
    'active after 6 charges',
    'ended after 2 charges',
    'past_due after 3 charges',
    'ending after 2 charges',
    'active after 1 charges',
  ]);
  const chargeOrders = (await get<Order[]>('/orders?limit=100')).filter(isChargeOrder);
  expect(chargeOrders).toHaveLength(demoChargeCount);
  for (const { _id, startedAt, createdAt, cycles } of allPlans) {
    expect(createdAt).toBe(startedAt);
    const ofPlan = chargeOrders.filter(({ renewal }) => renewal!.subscriptionId === _id);
    expect(ofPlan.map(({ renewal }) => renewal!.cycle)).toEqual(
      Array.from({ length: cycles }, (_, index) => cycles - index),
    );
    for (const order of ofPlan) {
      expect(order.paymentState).toBe('paid');
      const isMonthOver = Date.parse(order.createdAt) < Date.now() - 31 * day;
      expect(order.orderStatus).toBe(isMonthOver ? 'Delivered' : 'Pending');
      expect(order.orderDate).toBe(toUsDate(order.payments[0]!.paidAt));
      expect(order.createdAt.slice(0, 10)).toBe(order.payments[0]!.paidAt.slice(0, 10));
    }
  }
});
const toUsDate = (iso: string) => iso.replace(/^(\d+)-(\d+)-(\d+).*/, '$2/$3/$1');

test('the billing clock shows the current time, and the figures show what the plans are worth', async () => {
  const { now } = await get<TimeMachine>('/time-machine');
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(day / 24);
  const { recurring, inService, pastDue, months } = await get<SubscriptionFigures>(
    '/plan-subscriptions/figures',
  );
  expect({ recurring, inService, pastDue }).toEqual({
    recurring: '2160.00',
    inService: 4,
    pastDue: { plans: 1, amount: '290.00' },
  });
  expect(months.at(-1)!.recurring).toBe('2160.00');
  expect(months.filter(({ began }) => began > 0).length).toBeGreaterThan(2);
});

test('an ended plan and a past due one have the mails about their events, and the newest about the ended plan is over 40 days old', async () => {
  const [, ended, pastDue] = await plans();
  const mailsOf = (plan?: PlanSubscription) => get<Mail[]>(`/mails?about=${plan!._id}`);
  const [newest, ...earlier] = await mailsOf(ended);
  expect([newest!.template, ...earlier.map(({ template }) => template)]).toEqual([
    'adminPlanStopped',
    ...['planEnded', 'adminPlanStopped', 'planCancelled'],
  ]);
  expect(Date.parse(newest!.createdAt)).toBeLessThan(Date.now() - 40 * day);
  expect((await mailsOf(pastDue)).map(({ template }) => template)).toEqual([
    'planChargeReminder',
    'planChargeFailed',
  ]);
});

test('there are customers, messages (one of them answered), a campaign with figures, and no audit entries', async () => {
  await eventually(async () => expect(await get<Customer[]>('/customers')).toHaveLength(demoPeople.length));
  const messages = await get<Message[]>('/messages');
  expect(messages.filter(({ answeredAt }) => answeredAt !== null)).toHaveLength(1);
  const answered = messages.find(({ answeredAt }) => answeredAt !== null)!;
  const { thread } = await get<MessageWithThread>(`/message/${answered._id}`);
  const repliedAt = Date.parse(thread[0]!.createdAt);
  expect(repliedAt).toBeLessThan(Date.now() - 30 * day);
  const mails = await get<Mail[]>(`/mails?about=${answered._id}`);
  const [reply] = mails.filter(({ template }) => template === 'messageReply');
  // The reply and its mail were made together, and then dated back by the same number of hours.
  expect(Math.abs(Date.parse(reply!.createdAt) - repliedAt)).toBeLessThan(60_000);
  const [campaign] = await get<Campaign[]>('/campaigns');
  expect(campaign).toMatchObject({
    state: 'sent',
    counts: { recipients: demoSubscribers.length, failed: 1, unsubscribed: 2 },
  });
  expect(await get('/audit')).toEqual([]);
});

test('there are projects in every state, and the entries of a thread are dated in order, from the project’s creation to its last activity', async () => {
  const projects = await get<StaffProject[]>('/staff-projects');
  expect(projects).toHaveLength(23);
  expect([...new Set(projects.map(({ state }) => state))].sort()).toEqual([...projectState.options].sort());
  for (const { createdAt, activeAt } of projects) {
    expect(Date.parse(createdAt)).toBeLessThan(Date.now() - day / 2);
    expect(Date.parse(activeAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  }
  const { _id, createdAt, activeAt } = projects.find(({ labels }) => labels.includes('roofing'))!;
  const { entries } = await get<StaffThread>(`/staff-project/${_id}/thread`);
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['message', 'event', 'note']));
  const times = entries.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect([times[0], times.at(-1)]).toEqual([Date.parse(createdAt), Date.parse(activeAt)]);
});

test('one call removes all demo data', async () => {
  const { json } = await admin.delete<DemoDataCounts>('/demo-data');
  expect(json).toEqual({
    orders: demoOrders.length + demoChargeCount,
    projects: 23,
    customers: demoPeople.length,
    messages: 3,
    subscribers: demoSubscribers.length,
    campaigns: 1,
  });
  for (const list of [
    '/orders',
    '/staff-projects',
    '/plan-subscriptions',
    '/messages',
    '/subscribers',
    '/campaigns',
  ])
    expect(await get(list)).toEqual([]);
  await eventually(async () => expect(await get<Customer[]>('/customers')).toEqual([]));
});
