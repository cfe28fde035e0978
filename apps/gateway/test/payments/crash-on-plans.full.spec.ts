import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import type { Shop } from './shop.harness.js';

// Processes die between two steps, and people act at the same moment as the provider. There must be one order for each charge, and each plan must
// end once.

const minuteMs = 60_000;

let shop: Shop;
let plans: Plans;

beforeAll(async () => {
  // With the harness's timeout, a call to PayPal could end before the process is killed.
  plans = await Plans.open({ processes: ['orders'], ordersSettings: { PAYPAL_TIMEOUT_MS: '60000' } });
  shop = plans.shop;
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

/** Paid for its first month. From then on, all its webhooks are lost. */
async function silentPlan(): Promise<Plan> {
  const plan = await plans.subscribe();
  await plans.settled();
  await shop.paypal.misbehave({ subscriptionId: plan.reference }, { drop: true });
  return plan;
}

/** Kills the orders service once `expectReached` succeeds, while `call` is unanswered. Starts it again after `release`. */
async function killDuring(
  call: Promise<unknown>,
  expectReached: () => Promise<void>,
  release: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const ended = call.catch(() => undefined);
  await eventually(expectReached);
  await shop.site.orders.at(-1)!.kill();
  await release();
  await shop.site.startOrders();
  await ended;
}

/** Kills the orders service when it is about to execute `statement`, in the middle of a transaction. */
async function killAt(statement: string, act: () => Promise<unknown>): Promise<void> {
  const table = statement.split(' ').at(-1)!;
  const blocker = new pg.Client({ connectionString: shop.site.databaseUrls.orders });
  await blocker.connect();
  await blocker.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  const expectWaiting = async () => {
    const { rows } = await shop.sql.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND replace(query, '"', '') ILIKE $1`,
      [`${statement}%`],
    );
    expect(rows).not.toEqual([]);
  };
  try {
    await killDuring(act(), expectWaiting, () => blocker.query('ROLLBACK'));
  } finally {
    await blocker.end();
  }
}

/** Kills the orders service after PayPal has carried out the action, and before PayPal confirms it. */
async function killAfter(
  { reference }: Plan,
  [action, status]: readonly ['suspend' | 'activate' | 'cancel', string],
  act: () => Promise<unknown>,
): Promise<void> {
  const match = { subscriptionId: reference };
  await shop.paypal.misbehaveApi({ operation: `subscriptions.${action}`, mode: 'timeout', match, times: 1 });
  await killDuring(act(), async () => {
    const [found] = await shop.paypal.subscriptions(match);
    expect(found!.status).toBe(status);
  });
}

const cancel = (plan: Plan) => plan.customer.post(`/plan-subscription/${plan.id}/cancel`, { when: 'at_end' });
const refresh = (plan: Plan) => plan.customer.post(`/plan-subscription/${plan.id}/refresh`, undefined);

/** Moves PayPal's clock by 15 minutes. A scheduled inquiry then finishes what a killed process had begun. */
const advanceToInquiry = () => plans.advance(15 * minuteMs);

test.each([
  'INSERT INTO orders',
  'INSERT INTO order_timeline',
  'INSERT INTO payment_attempts',
  'INSERT INTO payment_events',
  'INSERT INTO outbox_messages',
  'UPDATE subscriptions',
])('a charge is recorded once, although the process that records it dies before %s', async (statement) => {
  const plan = await silentPlan();
  const { nextBillingAt } = await plans.atPaypal(plan);
  await shop.paypal.advanceClock(new Date(Date.parse(nextBillingAt!) + minuteMs));
  await killAt(statement, () => refresh(plan));
  await advanceToInquiry();
  expect(await plans.chargeOrders(plan)).toMatchObject([
    { cycle: 1, paymentState: 'paid' },
    { cycle: 2, paymentState: 'paid' },
  ]);
  await plans.expectBooksAgree(plan);
  expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 2 });
  const { rows } = await shop.sql.query<{ events: string[] }>(
    `SELECT array_agg(event) AS events FROM outbox_messages WHERE payload->>'orderId' IN
       (SELECT id::text FROM orders WHERE subscription_id = $1 AND cycle = 2)`,
    [plan.id],
  );
  expect(rows).toEqual([{ events: ['orders.paid'] }]);
});

test.each(['UPDATE subscriptions', 'INSERT INTO subscription_timeline', 'INSERT INTO outbox_messages'])(
  'a cancellation is carried out once, although the process that began it dies before %s',
  async (statement) => {
    const plan = await silentPlan();
    await killAt(statement, () => cancel(plan));
    await plans.waitForState(plan, 'ending');
    await advanceToInquiry();
    await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
    expect(await plans.news(plan)).toEqual(['cancelled']);
  },
);

test('a cancellation and the end of the plan happen once, although processes die after PayPal has done its part', async () => {
  const plan = await silentPlan();
  await killAfter(plan, ['suspend', 'SUSPENDED'], () => cancel(plan));
  await advanceToInquiry();
  const { state, endsOn } = await plans.read(plan);
  expect(state).toBe('ending');
  const toTheEnd = () => shop.paypal.advanceClock(new Date(Date.parse(endsOn!) + minuteMs));
  await killAfter(plan, ['cancel', 'CANCELLED'], toTheEnd);
  await advanceToInquiry();
  const admin = await shop.site.admin();
  expect(await plans.read(plan, admin)).toMatchObject({ state: 'ended', problem: null });
  expect(await plans.news(plan)).toEqual(['cancelled', 'ended']);
  expect(await plans.chargeOrders(plan)).toHaveLength(1);
});

test('a cancellation can be taken back before the service has learned that PayPal has carried it out', async () => {
  const plan = await silentPlan();
  await killAfter(plan, ['suspend', 'SUSPENDED'], () => cancel(plan));
  await plans.act(plan, 'resume');
  await advanceToInquiry();
  expect(await plans.read(plan)).toMatchObject({ state: 'active' });
  await plans.waitForStatusAtPaypal(plan, 'ACTIVE');
  expect(await plans.news(plan)).toEqual(['cancelled', 'resumed']);
});

describe('when people and PayPal act at the same moment', () => {
  /** PayPal charged the second month a minute ago. Our services may not know of it yet. */
  async function justChargedPlan(): Promise<Plan> {
    const plan = await silentPlan();
    const { nextBillingAt } = await plans.atPaypal(plan);
    await shop.paypal.advanceClock(new Date(Date.parse(nextBillingAt!) + minuteMs));
    return plan;
  }

  test('a customer who cancels keeps the month that was just paid', async () => {
    const plan = await justChargedPlan();
    const ending = await plans.act(plan, 'cancel', { when: 'at_end' });
    expect(ending).toMatchObject({ state: 'ending', cycles: 2 });
    expect(ending.endsOn).toBe((await plans.atPaypal(plan)).nextBillingAt);
  });

  test('a customer who cancels inside PayPal keeps the month that was just paid, too', async () => {
    const plan = await justChargedPlan();
    const { nextBillingAt } = await plans.atPaypal(plan);
    await shop.paypal.cancelSubscription(plan.reference);
    // Our services may have read the plan just before the cancellation. They read it again within a day.
    await plans.advance(dayMs);
    const ending = await plans.read(plan);
    expect(ending).toMatchObject({ state: 'ending', cycles: 2 });
    expect(ending.endsOn!.slice(0, 10)).toBe(nextBillingAt!.slice(0, 10));
  });

  test('cancelling here and inside PayPal at the same time counts as one cancellation', async () => {
    const plan = await silentPlan();
    await Promise.all([cancel(plan), shop.paypal.cancelSubscription(plan.reference)]);
    await advanceToInquiry();
    expect(await plans.read(plan)).toMatchObject({ state: 'ending', actions: [] });
    const { endsOn } = await plans.read(plan);
    await plans.advance(new Date(Date.parse(endsOn!) + minuteMs));
    expect((await plans.read(plan)).state).toBe('ended');
    expect(await plans.news(plan)).toEqual(['cancelled', 'ended']);
  });

  test('a cancellation cannot be taken back when the paid period is over, even while our services cannot read the plan at PayPal', async () => {
    const plan = await silentPlan();
    const { endsOn } = await plans.act(plan, 'cancel', { when: 'at_end' });
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error' });
    await shop.paypal.advanceClock(new Date(Date.parse(endsOn!) + minuteMs));
    // With this call, the orders service learns of the new time.
    expect((await (await shop.site.admin()).get('/time-machine')).status).toBe(200);
    expect((await plan.customer.post(`/plan-subscription/${plan.id}/resume`, undefined)).status).toBe(409);
    await shop.paypal.behave();
    await plans.advance(dayMs);
    expect((await plans.read(plan)).state).toBe('ended');
  });
});

test('a charge for two months together becomes one order for the whole amount', async () => {
  const plan = await plans.subscribe({ fund: 'declined' });
  // While the service cannot read the plan at PayPal, it does not suspend the plan, so PayPal charges the second month with the first.
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error' });
  await shop.paypal.advanceClock(20 * dayMs);
  await shop.paypal.setFunding(plan.reference, 'ok');
  await shop.paypal.advanceClock(15 * dayMs);
  await shop.paypal.behave();
  await plans.advance(dayMs);
  expect(await plans.chargeOrders(plan)).toMatchObject([
    { cycle: 1, priceCents: 58_000, paymentState: 'paid' },
  ]);
  expect(await plans.readOrder(plan.order)).toMatchObject({ packagePrice: '580.00', flags: [] });
  await plans.expectBooksAgree(plan);
});
