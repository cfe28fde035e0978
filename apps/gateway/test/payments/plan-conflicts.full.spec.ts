import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlanSubscription, PriceChangePreview } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import { price, type Shop } from './shop.harness.js';

let shop: Shop;
let plans: Plans;

beforeAll(async () => {
  plans = await Plans.open();
  shop = plans.shop;
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

/** Keeps our services from learning about the plan by themselves: its webhooks are lost, and no inquiry is due. */
async function isolate({ id, reference }: Plan): Promise<void> {
  await plans.settled();
  await shop.paypal.misbehave({ subscriptionId: reference }, { drop: true });
  await shop.sql.query(`UPDATE subscriptions SET inquire_at = '2999-01-01' WHERE id = $1`, [id]);
}

const inquireNow = ({ id }: Plan) =>
  shop.sql.query(`UPDATE subscriptions SET inquire_at = '2000-01-01' WHERE id = $1`, [id]);

/** PayPal charges the next cycle. If the plan is isolated, our services do not learn of it. */
async function charge(plan: Plan): Promise<void> {
  const { nextBillingAt } = await plans.atPaypal(plan);
  await shop.paypal.advanceClock(new Date(Date.parse(nextBillingAt!) + 60_000));
}

async function flagsOf({ id }: Plan, cycle: number): Promise<string[] | undefined> {
  const { rows } = await shop.sql.query<{ flags: string[] }>(
    'SELECT flags FROM orders WHERE subscription_id = $1 AND cycle = $2',
    [id, cycle],
  );
  return rows[0]?.flags;
}

describe('a charge that we do not know of yet', () => {
  test('extends the plan by the month that was charged, although the customer cancels', async () => {
    const plan = await plans.subscribe();
    await isolate(plan);
    await charge(plan);
    const { nextBillingAt } = await plans.atPaypal(plan);
    expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({
      state: 'ending',
      cycles: 2,
      endsOn: nextBillingAt,
    });
  });

  test('extends the plan by the month that was charged, if our request to suspend the plan came too late', async () => {
    const plan = await plans.subscribe();
    await isolate(plan);
    await shop.paypal.misbehaveApi({ mode: 'error', match: { subscriptionId: plan.reference } });
    expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({ state: 'ending' });
    await charge(plan);
    await shop.paypal.behave();
    const { nextBillingAt } = await plans.atPaypal(plan);
    await inquireNow(plan);
    await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
    // PayPal knows of the suspension before we have its answer.
    await eventually(async () =>
      expect(await plans.read(plan)).toMatchObject({ state: 'ending', cycles: 2, endsOn: nextBillingAt }),
    );
  });

  test('extends the plan by the month that was charged, although the plan is cancelled inside PayPal', async () => {
    const plan = await plans.subscribe();
    await isolate(plan);
    await charge(plan);
    const { nextBillingAt } = await plans.atPaypal(plan);
    await shop.paypal.cancelSubscription(plan.reference);
    await inquireNow(plan);
    await plans.waitForState(plan, 'ending');
    expect(await plans.read(plan)).toMatchObject({ cycles: 2, endsOn: nextBillingAt });
    expect(await flagsOf(plan, 2)).toEqual([]);
  });
});

describe('a customer who cancels', () => {
  test('is not charged any more, although we cannot read what was charged so far', async () => {
    const plan = await plans.subscribe();
    await plans.settled();
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.transactions', mode: 'error' });
    await plans.act(plan, 'cancel', { when: 'at_end' });
    await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
  });

  test('can take the cancellation back before we know that PayPal has suspended the plan', async () => {
    const plan = await plans.subscribe();
    await isolate(plan);
    const { nextChargeAt } = await plans.read(plan);
    await shop.paypal.misbehaveApi({
      ...{ operation: 'subscriptions.suspend', mode: 'error after success' },
      match: { subscriptionId: plan.reference },
    });
    await plans.act(plan, 'cancel', { when: 'at_end' });
    // The cancellation has scheduled another inquiry, which would find out about the suspension.
    await shop.sql.query(`UPDATE subscriptions SET inquire_at = '2999-01-01' WHERE id = $1`, [plan.id]);
    await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
    expect(await plans.act(plan, 'resume')).toMatchObject({ state: 'active', nextChargeAt });
    await plans.waitForStatusAtPaypal(plan, 'ACTIVE');
  });

  test('cannot take the cancellation back when the paid period is over', async () => {
    const plan = await plans.subscribe();
    await plans.act(plan, 'cancel', { when: 'at_end' });
    await isolate(plan);
    const { endsOn } = await plans.read(plan);
    await shop.paypal.advanceClock(new Date(Date.parse(endsOn!) + 60_000));
    // To answer this call, the service reads PayPal's clock. From then on, it knows that the paid period is over.
    await (await shop.site.admin()).get('/time-machine');
    const { status } = await plan.customer.post(`/plan-subscription/${plan.id}/resume`, undefined);
    expect(status).toBe(409);
    expect((await plans.atPaypal(plan)).status).not.toBe('ACTIVE');
  });
});

test('if PayPal still charges after an admin ended the plan immediately, the order of the charge is flagged, and the plan is cancelled at PayPal', async () => {
  const plan = await plans.subscribe();
  await isolate(plan);
  const admin = await shop.site.admin();
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.cancel', mode: 'error' });
  await plans.act(plan, 'cancel', { when: 'now' }, admin);
  await charge(plan);
  await shop.paypal.behave();
  await inquireNow(plan);
  await eventually(async () => expect(await flagsOf(plan, 2)).toEqual(['paid_after_cancel']));
  await plans.waitForStatusAtPaypal(plan, 'CANCELLED');
});

test('an admin sees that PayPal does not know a plan any more', async () => {
  const plan = await plans.subscribe();
  await isolate(plan);
  await shop.sql.query('UPDATE subscriptions SET reference = $2 WHERE id = $1', [plan.id, 'I-UNKNOWN00001']);
  await inquireNow(plan);
  const admin = await shop.site.admin();
  const expectProblem = () =>
    eventually(async () =>
      expect((await admin.get<PlanSubscription>(`/plan-subscription/${plan.id}`)).json.problem).toContain(
        'does not know',
      ),
    );
  await expectProblem();
  // The admin also sees the problem while PayPal answers the request to cancel the plan with an error.
  await shop.sql.query('UPDATE subscriptions SET problem = NULL WHERE id = $1', [plan.id]);
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.cancel', mode: 'error' });
  await plans.act(plan, 'cancel', { when: 'now' }, admin);
  await expectProblem();
  // Gives the plan its own id back, so that our services can still cancel it at PayPal.
  await shop.sql.query('UPDATE subscriptions SET reference = $2 WHERE id = $1', [plan.id, plan.reference]);
});

/** Two plans for the same order await the customer’s approval at PayPal. */
async function beginTwice() {
  const order = await plans.placeOrder();
  const first = await plans.begin(order);
  // An attempt is continued for three hours. After that, Pay Now begins another one.
  await shop.sql.query(
    `UPDATE payment_attempts SET created_at = created_at - interval '4 hours' WHERE order_id = $1`,
    [order.id],
  );
  return { order, first, second: await plans.begin(order) };
}

test('an order for which two plans were approved is flagged as paid twice even if the first charge of the kept plan is declined at first', async () => {
  const { order, first, second } = await beginTwice();
  await shop.paypal.approveSubscription(first, { with: 'declined' });
  await eventually(async () => expect((await planOf(order)).reference).toBe(first));
  const kept = await planOf(order);
  await plans.waitForState(kept, 'past_due');
  await shop.paypal.approveSubscription(second);
  await plans.waitForStatusAtPaypal({ ...kept, reference: second }, 'CANCELLED');
  await shop.paypal.setFunding(first, 'ok');
  await plans.act(kept, 'retry');
  await plans.waitForState(kept, 'active');
  await shop.sql.query(
    `UPDATE payment_attempts SET inquire_at = now() WHERE order_id = $1 AND checkout_reference = $2`,
    [order.id, second],
  );
  await eventually(async () => expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']));
  expect(await plans.chargeOrders(kept)).toHaveLength(1);
});

test('an order for which two plans were approved is flagged as paid twice', async () => {
  const { order, first, second } = await beginTwice();
  await shop.paypal.approveSubscription(first);
  await shop.paypal.approveSubscription(second);
  await eventually(async () => expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']));
  expect((await shop.storedOrder(order)).payments).toHaveLength(2);
  expect(await plans.chargeOrders(await planOf(order))).toHaveLength(1);
});

test('an order is Paid if its plan was paid and cancelled at PayPal before we could read the plan', async () => {
  const order = await plans.placeOrder();
  const reference = await plans.begin(order);
  await shop.paypal.misbehave({ subscriptionId: reference }, { drop: true });
  await shop.paypal.approveSubscription(reference);
  await shop.paypal.cancelSubscription(reference);
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.transactions', mode: 'error' });
  const inquire = () =>
    shop.sql.query(
      `UPDATE payment_attempts SET inquire_at = now() WHERE order_id = $1 AND inquire_at IS NOT NULL`,
      [order.id],
    );
  await inquire();
  // Waits until the inquiry, which fails, has begun: its beginning schedules the next one.
  await eventually(async () => {
    const { rows } = await shop.sql.query(
      `SELECT FROM payment_attempts WHERE order_id = $1 AND inquire_at <= now()`,
      [order.id],
    );
    expect(rows).toHaveLength(0);
  });
  await shop.paypal.behave();
  await inquire();
  await eventually(async () =>
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' }),
  );
});

test('a repeated request to try a charge again gets the answer to the first request', async () => {
  const plan = await plans.subscribe();
  await shop.paypal.setFunding(plan.reference, 'declined');
  await plans.toNextCharge(plan);
  await plans.waitForState(plan, 'past_due');
  await shop.paypal.setFunding(plan.reference, 'ok');
  const headers = { 'Idempotency-Key': randomUUID() };
  const path = `/plan-subscription/${plan.id}/retry`;
  const first = await plan.customer.post(path, undefined, { headers });
  const second = await plan.customer.post(path, undefined, { headers });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.json).toEqual(first.json);
  await plans.waitForState(plan, 'active');
  await plans.expectBooksAgree(plan);
});

test('changing the package of a plan is offered to its customer, and not to an admin', async () => {
  const plan = await plans.subscribe();
  expect((await plans.read(plan)).actions).toContain('change');
  const admin = await shop.site.admin();
  const { json } = await admin.get<PlanSubscription>(`/plan-subscription/${plan.id}`);
  expect(json.actions).not.toContain('change');
});

describe('a new price', () => {
  async function offer(amount: string): Promise<void> {
    await shop.sql.query('DELETE FROM packages');
    await shop.sql.query(
      `INSERT INTO packages (id, name, price, deleted, site_version) VALUES ($1, 'Premium', $2, false, 1)`,
      [randomUUID(), amount],
    );
  }

  test('is also announced to customers who did not approve the previous one, or who began a change without approving it', async () => {
    const silent = await plans.subscribe();
    const undecided = await plans.subscribe();
    await plans.settled();
    const admin = await shop.site.admin();
    const announce = (packagePrice: string) =>
      admin.post<{ announced: number }>('/plan-subscriptions/price-change', {
        packageName: 'Premium',
        packagePrice,
      });
    await offer('320.00');
    await shop.sql.query(
      `UPDATE subscriptions SET change_package = 'Premium', change_cents = 32000, change_by = 'customer',
         change_approvable_from = now(), change_applies_from = now() + interval '40 days' WHERE id = $1`,
      [undecided.id],
    );
    const { json } = await admin.get<PriceChangePreview>(
      '/plan-subscriptions/price-change?packageName=Premium',
    );
    const [group] = json.groups;
    expect(group).toMatchObject({ price });
    const { now } = await shop.paypal.clock();
    expect(Date.parse(group!.firstFrom)).toBeGreaterThanOrEqual(now.getTime() + 30 * dayMs);
    expect(Date.parse(group!.lastFrom)).toBeGreaterThanOrEqual(Date.parse(group!.firstFrom));
    expect((await announce('320.00')).json.announced).toBe(group!.customers);
    expect((await announce('320.00')).json.announced).toBe(0);
    await offer('350.00');
    expect((await announce('350.00')).json.announced).toBe(group!.customers);
    for (const plan of [silent, undecided])
      expect((await plans.read(plan)).change).toMatchObject({ price: '350.00', state: 'announced' });
  });
});

async function planOf(order: Plan['order']): Promise<Plan> {
  const { rows } = await shop.sql.query<{ id: string; reference: string }>(
    'SELECT id, reference FROM subscriptions WHERE first_order_id = $1',
    [order.id],
  );
  expect(rows).toHaveLength(1);
  return { ...rows[0]!, order, customer: order.customer };
}

test('the order of a plan whose first charge was refused does not show “Confirming payment”', async () => {
  const plan = await plans.subscribe({ fund: 'declined' });
  // Until all webhooks are processed, the order shows “Confirming payment”, because one of them could report money.
  await plans.settled();
  expect(await plans.readOrder(plan.order)).toMatchObject({
    ...{ paymentStatus: 'UnPaid', paymentHold: null, payable: false },
  });
});
