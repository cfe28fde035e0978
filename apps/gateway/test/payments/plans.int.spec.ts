import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { dayMs, Plans } from './plans.harness.js';
import { Shop } from './shop.harness.js';

// Plans that renew, with PayPal's Subscriptions API. The clock of the simulated PayPal is shared by all tests of this file.

let shop: Shop;
let plans: Plans;

beforeAll(async () => {
  shop = await Shop.open({ product: 'checkout' });
  plans = new Plans(shop);
});
afterAll(() => shop?.close());

describe('a customer who subscribes', () => {
  test('has paid the first month at once, in the order that they placed', async () => {
    const plan = await plans.subscribed();
    expect(await shop.storedOrder(plan.order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    expect(await plans.order(plan.order)).toMatchObject({
      renewal: { cycle: 1, subscriptionId: plan.id },
      payable: false,
    });
    expect(await plans.read(plan)).toMatchObject({
      state: 'active',
      cycles: 1,
      price: '290.00',
      nextChargeAmount: '290.00',
      nextChargeAt: (await plans.atPaypal(plan)).nextBillingAt,
    });
    await plans.settled();
    await plans.expectBooksAgree(plan);
  });

  test('gets one paid order for each month', async () => {
    const plan = await plans.subscribed();
    await plans.toNextCharge(plan);
    await plans.toNextCharge(plan);
    expect(await plans.charges(plan)).toMatchObject([
      { cycle: 1, amount: 29_000, paymentState: 'paid' },
      { cycle: 2, amount: 29_000, paymentState: 'paid' },
      { cycle: 3, amount: 29_000, paymentState: 'paid' },
    ]);
    expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 3 });
    await plans.expectBooksAgree(plan);
    expect(await plans.news(plan)).toEqual([]);
  });

  test('and closes the window is found by the webhook', async () => {
    const order = await plans.ordered();
    const reference = await plans.begun(order);
    await shop.paypal.approveSubscription(reference);
    await plans.settled();
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' }),
    );
  });
});

test('a failed charge is told, reminded of, and ends in a suspension; a late success brings the plan back', async () => {
  const plan = await plans.subscribed();
  await shop.paypal.fund(plan.reference, 'declined');
  await plans.toNextCharge(plan);
  await plans.toState(plan, 'past_due');
  expect(await plans.read(plan)).toMatchObject({ outstanding: '290.00', actions: ['cancel', 'retry'] });
  await plans.advance(3 * dayMs);
  await plans.advance(4 * dayMs);
  expect(await plans.news(plan)).toEqual([
    'charge_failed',
    'charge_failed_reminder',
    'charge_failed_reminder',
  ]);
  await plans.advance(4 * dayMs);
  await plans.toState(plan, 'suspended');
  expect((await plans.atPaypal(plan)).status).toBe('SUSPENDED');
  await shop.paypal.fund(plan.reference, 'ok');
  await plans.act(plan, 'retry');
  await plans.toState(plan, 'active');
  expect((await plans.atPaypal(plan)).status).toBe('ACTIVE');
  await plans.expectBooksAgree(plan);
  expect((await plans.news(plan)).slice(3)).toEqual(['suspended', 'recovered']);
});

test('a cancelled plan goes on until the paid time is over, and can be taken back until then', async () => {
  const plan = await plans.subscribed();
  const { nextChargeAt } = await plans.read(plan);
  expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({
    state: 'ending',
    endsOn: nextChargeAt,
  });
  expect((await plans.atPaypal(plan)).status).toBe('SUSPENDED');
  expect(await plans.act(plan, 'resume')).toMatchObject({ state: 'active', nextChargeAt });
  expect((await plans.atPaypal(plan)).status).toBe('ACTIVE');
  await plans.act(plan, 'cancel', { when: 'at_end' });
  await plans.advance(new Date(Date.parse(nextChargeAt!) + 60_000));
  await plans.toState(plan, 'ended');
  expect((await plans.atPaypal(plan)).status).toBe('CANCELLED');
  await plans.expectBooksAgree(plan);
  expect(await plans.news(plan)).toEqual(['cancelled', 'resumed', 'cancelled', 'ended']);
});
