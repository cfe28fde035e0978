import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { simulatedApp, type SubscriptionFigures, type TimeMachine } from '#libs/contracts';
import { eventually } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import { Shop, shopAddress } from './shop.harness.js';

// Without the credentials of PayPal Checkout, single orders are paid with Payments Standard. Monthly plans can still be bought: the simulator always
// has an app for them.

let shop: Shop;
let plans: Plans;
let plan: Plan;

beforeAll(async () => {
  shop = await Shop.open({ paypalClock: 'running' });
  // The app exists already. This call gives the app a webhook, and assigns it to the shop's merchant.
  const { clientSecret: secret, ...app } = simulatedApp;
  await shop.paypal.setUpApp({ ...app, secret, email: shopAddress, webhookUrl: shop.webhookUrl });
  plans = new Plans(shop);
  plan = await plans.subscribe();
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

const readTimeMachine = async () => (await (await shop.site.admin()).get<TimeMachine>('/time-machine')).json;

test('monthly plans can be bought, and single orders are still paid with the form of Payments Standard', async () => {
  const offer = await shop.customer.get('/plan-subscriptions/offer');
  expect(offer.json).toEqual({ available: true });
  expect(await shop.form(await shop.placeOrder())).toMatchObject({ cmd: '_xclick', business: shopAddress });
  expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 1 });
});

test('an admin moves the billing clock day by day, and the plan is charged for its second month', async () => {
  const admin = await shop.site.admin();
  const before = await readTimeMachine();
  for (let day = 1; day <= 32; day += 1) {
    const { status } = await admin.post('/time-machine', undefined);
    expect(status).toBe(200);
  }
  const { aheadDays, now } = await readTimeMachine();
  expect(aheadDays - before.aheadDays).toBeCloseTo(32, 0);
  expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(32 * dayMs);
  expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 2 });
  await plans.expectBooksAgree(plan);
});

test('a repeated request moves the billing clock by one day only', async () => {
  const admin = await shop.site.admin();
  const { aheadDays } = await readTimeMachine();
  const headers = { 'Idempotency-Key': 'a-day-that-passes-once' };
  for (let request = 1; request <= 2; request += 1)
    expect((await admin.send('POST', '/time-machine', { headers })).status).toBe(200);
  expect((await readTimeMachine()).aheadDays - aheadDays).toBeCloseTo(1, 1);
});

test('a request that is sent twice at the same time moves the billing clock by one day only', async () => {
  const admin = await shop.site.admin();
  const { aheadDays } = await readTimeMachine();
  const headers = { 'Idempotency-Key': 'a-day-that-passes-once-at-once' };
  const answers = await Promise.all(
    [1, 2].map(() => admin.send<TimeMachine>('POST', '/time-machine', { headers })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]!.json).toEqual(answers[1]!.json);
  expect((await readTimeMachine()).aheadDays - aheadDays).toBeCloseTo(1, 1);
});

test('customers may neither read nor move the billing clock', async () => {
  expect((await shop.customer.get('/time-machine')).status).toBe(403);
  expect((await shop.customer.post('/time-machine', undefined)).status).toBe(403);
});

test('the figures include a cancelled plan that has not ended yet, but expect no further charge for it', async () => {
  const second = await plans.subscribe({ customer: await shop.site.customer(), amount: '90.00' });
  await plans.act(second, 'cancel', { when: 'at_end' });
  const admin = await shop.site.admin();
  await eventually(async () => {
    const { json } = await admin.get<SubscriptionFigures>('/plan-subscriptions/figures');
    expect(json).toMatchObject({
      recurring: '380.00',
      inService: 2,
      expected: { charges: 1, amount: '290.00' },
    });
    expect(json.months).toHaveLength(24);
    expect(json.months.at(-1)).toMatchObject({ recurring: '380.00' });
  });
});

describe('if the approval of a plan and a payment for one month are both open for an order,', () => {
  /** Opens the approval of the plan, and then the payment for one month. Pay Now does the same UPDATE while no provider can charge plans. */
  async function openBoth() {
    const order = await plans.placeOrder(await shop.site.customer());
    const reference = await plans.begin(order);
    await shop.sql.query('UPDATE orders SET cycle = NULL WHERE id = $1', [order.id]);
    return { order, reference, form: await shop.form(order) };
  }

  test('a plan that is approved after the payment for one month is cancelled, and the order is flagged as paid twice', async () => {
    const { order, reference, form } = await openBoth();
    await shop.paypal.pay(form);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    await shop.paypal.approveSubscription(reference);
    await eventually(async () => {
      expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']);
      const found = await shop.paypal.subscriptions({ subscriptionId: reference });
      expect(found).toMatchObject([{ status: 'CANCELLED' }]);
    });
  });

  test('a plan that is approved before the payment for one month stays active, and the order is flagged as paid twice', async () => {
    const { order, reference, form } = await openBoth();
    await shop.paypal.approveSubscription(reference);
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] }),
    );
    await shop.paypal.pay(form);
    await eventually(async () => expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']));
    const kept = { id: await plans.idOf(reference), reference, order, customer: order.customer };
    expect(await plans.read(kept)).toMatchObject({ state: 'active', cycles: 1 });
    expect((await plans.readOrder(order)).renewal).toEqual({ cycle: 1, subscriptionId: kept.id });
  });

  test('the order is flagged as paid twice even if the payment for one month is recorded before the first charge of the plan', async () => {
    const { order, reference, form } = await openBoth();
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.transactions', mode: 'error' });
    await shop.paypal.approveSubscription(reference);
    await eventually(() => plans.idOf(reference));
    await shop.paypal.pay(form);
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] }),
    );
    await shop.paypal.behave();
    await shop.sql.query(`UPDATE subscriptions SET inquire_at = '2000-01-01' WHERE reference = $1`, [
      reference,
    ]);
    await eventually(async () => expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']));
    // No second order was made for the same month.
    const kept = { id: await plans.idOf(reference), reference, order, customer: order.customer };
    expect(await plans.chargeOrders(kept)).toHaveLength(1);
  });
});
