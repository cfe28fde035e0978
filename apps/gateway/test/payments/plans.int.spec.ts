import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, fullTest } from '#libs/testing';
import { dayMs, type Plan, Plans } from './plans.harness.js';
import type { Shop } from './shop.harness.js';

// The simulated PayPal's clock is shared by all tests of this file.

let shop: Shop;
let plans: Plans;

beforeAll(async () => {
  // Requests may take long on a busy machine. The long timeout delays only the last test, in which PayPal does not answer.
  plans = await Plans.open({ ordersSettings: { PAYPAL_TIMEOUT_MS: '8000' } });
  shop = plans.shop;
});
afterAll(() => shop?.close());
afterEach(() => shop.paypal.behave());

describe('a customer who subscribes', () => {
  test('has immediately paid for the first month, with the order that they placed', async () => {
    const plan = await plans.subscribe();
    expect(await shop.storedOrder(plan.order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    expect(await plans.readOrder(plan.order)).toMatchObject({
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
    const plan = await plans.subscribe();
    await plans.toNextCharge(plan);
    await plans.toNextCharge(plan);
    expect(await plans.chargeOrders(plan)).toMatchObject([
      { cycle: 1, priceCents: 29_000, paymentState: 'paid' },
      { cycle: 2, priceCents: 29_000, paymentState: 'paid' },
      { cycle: 3, priceCents: 29_000, paymentState: 'paid' },
    ]);
    expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 3 });
    await plans.expectBooksAgree(plan);
    expect(await plans.news(plan)).toEqual([]);
    // Each charge is reported to us, and each report is counted by its decision.
    await eventually(async () => {
      const metrics = await (await shop.site.orders[0]!.health('/metrics')).text();
      const recorded = await shop.countNotifications('recorded');
      expect(metrics).toContain(`payment_notices_total{decision="recorded",service="orders"} ${recorded}\n`);
    });
  });

  test('and closes the window has paid as soon as the webhook arrives', async () => {
    const order = await plans.placeOrder();
    const reference = await plans.begin(order);
    await shop.paypal.approveSubscription(reference);
    await plans.settled();
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' }),
    );
  });
});

test('a customer is told and reminded of a failed charge before the plan is suspended; a late success brings it back', async () => {
  const plan = await plans.subscribe();
  await shop.paypal.setFunding(plan.reference, 'declined');
  await plans.toNextCharge(plan);
  await plans.waitForState(plan, 'past_due');
  expect(await plans.read(plan)).toMatchObject({ outstanding: '290.00', actions: ['cancel', 'retry'] });
  await plans.advance(3 * dayMs);
  await plans.advance(4 * dayMs);
  expect(await plans.news(plan)).toEqual([
    'charge_failed',
    'charge_failed_reminder',
    'charge_failed_reminder',
  ]);
  await plans.advance(4 * dayMs);
  await plans.waitForState(plan, 'suspended');
  await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
  await shop.paypal.setFunding(plan.reference, 'ok');
  await plans.act(plan, 'retry');
  await plans.waitForState(plan, 'active');
  await plans.waitForStatusAtPaypal(plan, 'ACTIVE');
  await plans.expectBooksAgree(plan);
  expect((await plans.news(plan)).slice(3)).toEqual(['suspended', 'recovered']);
});

test('a second try of an outstanding charge is refused while the payment of the first is still being confirmed', async () => {
  const plan = await plans.subscribe();
  await shop.paypal.setFunding(plan.reference, 'declined');
  await plans.toNextCharge(plan);
  await plans.waitForState(plan, 'past_due');
  await shop.paypal.setFunding(plan.reference, 'echeck');
  await plans.act(plan, 'retry');
  const retry = async () => {
    const { status, json } = await plan.customer.post<{ code: string; detail: string }>(
      `/plan-subscription/${plan.id}/retry`,
      undefined,
    );
    return [status, json.code, json.detail];
  };
  const nothing = 'There’s nothing to collect right now. A payment may still be on its way.';
  expect(await retry()).toEqual([409, 'INVALID_TRANSITION', nothing]);
  // Whether there is something to collect is then not known.
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error' });
  expect((await retry()).slice(0, 2)).toEqual([503, 'UNAVAILABLE']);
  await shop.paypal.behave();
});

test('when an admin tries a charge again, the audit log says how much was charged', async () => {
  const plan = await plans.subscribe({ fund: 'declined' });
  await shop.paypal.setFunding(plan.reference, 'ok');
  const admin = await shop.site.admin();
  await plans.act(plan, 'retry', undefined, admin);
  const { rows } = await shop.sql.query(
    'SELECT actor_email, change, before, after FROM audit_entries WHERE record_id = $1',
    [plan.id],
  );
  expect(rows).toEqual([
    { actor_email: admin.email, change: 'updated', before: {}, after: { chargeRetried: '290.00' } },
  ]);
});

test('when an admin tries a charge again, the audit log says so even if PayPal answers with an error, and only once for each request', async () => {
  const plan = await plans.subscribe({ fund: 'declined' });
  await shop.paypal.setFunding(plan.reference, 'ok');
  const admin = await shop.site.admin();
  const headers = { 'Idempotency-Key': randomUUID() };
  const retry = () => admin.post(`/plan-subscription/${plan.id}/retry`, undefined, { headers });
  const auditEntries = () =>
    shop.sql
      .query('SELECT after FROM audit_entries WHERE record_id = $1', [plan.id])
      .then(({ rows }) => rows);
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.capture', mode: 'error' });
  expect((await retry()).status).toBe(503);
  expect(await auditEntries()).toEqual([{ after: { chargeRetried: '290.00' } }]);
  await shop.paypal.behave();
  expect((await retry()).status).toBe(200);
  expect(await auditEntries()).toHaveLength(1);
});

test('a request for another plan with the Idempotency-Key of a failed one is refused, and charges nothing', async () => {
  const [plan, other] = [
    await plans.subscribe({ fund: 'declined' }),
    await plans.subscribe({ fund: 'declined' }),
  ];
  for (const { reference } of [plan, other]) await shop.paypal.setFunding(reference, 'ok');
  const headers = { 'Idempotency-Key': randomUUID() };
  const retry = ({ id, customer }: Plan) =>
    customer.post(`/plan-subscription/${id}/retry`, undefined, { headers });
  await shop.paypal.misbehaveApi({ operation: 'subscriptions.capture', mode: 'error' });
  expect((await retry(plan)).status).toBe(503);
  await shop.paypal.behave();
  expect(await retry(other)).toMatchObject({ json: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  expect(await plans.read(other)).toMatchObject({ state: 'past_due', outstanding: '290.00' });
  expect(await plans.atPaypal(other)).toMatchObject({ outstanding: '290.00' });
});

test('a cancelled plan continues until the paid period is over, and the cancellation can be taken back until then', async () => {
  const plan = await plans.subscribe();
  const { nextChargeAt } = await plans.read(plan);
  expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({
    state: 'ending',
    endsOn: nextChargeAt,
  });
  await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
  expect(await plans.act(plan, 'resume')).toMatchObject({ state: 'active', nextChargeAt });
  await plans.waitForStatusAtPaypal(plan, 'ACTIVE');
  await plans.act(plan, 'cancel', { when: 'at_end' });
  await plans.advance(new Date(Date.parse(nextChargeAt!) + 60_000));
  await plans.waitForState(plan, 'ended');
  await plans.waitForStatusAtPaypal(plan, 'CANCELLED');
  await plans.expectBooksAgree(plan);
  expect(await plans.news(plan)).toEqual(['cancelled', 'resumed', 'cancelled', 'ended']);
});

describe('a common mistake of shops with monthly plans is avoided:', () => {
  const loseWebhooks = ({ reference }: Plan) =>
    shop.paypal.misbehave({ subscriptionId: reference }, { drop: true });

  test('a second payment is not applied to the first order', async () => {
    const plan = await plans.subscribe();
    await plans.toNextCharge(plan);
    expect((await shop.storedOrder(plan.order)).payments).toHaveLength(1);
    expect(await plans.chargeOrders(plan)).toMatchObject([{ cycle: 1 }, { cycle: 2, paymentState: 'paid' }]);
  });

  fullTest('a webhook that cannot be processed immediately is tried again, not dropped', async () => {
    const plan = await plans.subscribe();
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error', times: 4 });
    await plans.toNextCharge(plan);
    expect(await plans.chargeOrders(plan)).toHaveLength(2);
    await plans.expectBooksAgree(plan);
  });

  fullTest('a plan remains active while PayPal cannot be asked about its charge', async () => {
    const plan = await plans.subscribe();
    await loseWebhooks(plan);
    // PayPal answers only with errors until at least ten days after the charge.
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'error' });
    await shop.paypal.advanceClock(42 * dayMs);
    expect((await plans.read(plan)).state).toBe('active');
    await shop.paypal.behave();
    await plans.advance(dayMs);
    expect(await plans.read(plan)).toMatchObject({ state: 'active', cycles: 2 });
    expect(await plans.news(plan)).toEqual([]);
  });

  test('money that was taken has an order, even if every webhook was lost', async () => {
    const plan = await plans.subscribe();
    await loseWebhooks(plan);
    await plans.toNextCharge(plan);
    await plans.advance(dayMs);
    await plans.toNextCharge(plan);
    await plans.advance(dayMs);
    expect(await plans.chargeOrders(plan)).toHaveLength(3);
    await plans.expectBooksAgree(plan);
  });

  test('Pay Now for an order of a plan that renews begins a subscription at PayPal, not a one-time payment', async () => {
    const order = await plans.placeOrder();
    const reference = await plans.begin(order);
    expect(await shop.paypal.ledger({ invoice: await shop.invoiceOf(order) })).toMatchObject({
      payments: [],
    });
    expect(await shop.paypal.subscriptions({ subscriptionId: reference })).toMatchObject([
      { status: 'APPROVAL_PENDING', price: '290.00' },
    ]);
  });

  test('an order whose plan was approved cannot be paid in another way while PayPal refuses to report on the plan', async () => {
    const order = await plans.placeOrder();
    const reference = await plans.begin(order);
    await shop.paypal.misbehave({ subscriptionId: reference }, { drop: true });
    await shop.paypal.approveSubscription(reference);
    await shop.paypal.misbehaveApi({ operation: 'subscriptions.get', mode: 'forbidden' });
    expect(await shop.returnFromPayment(order)).toBe('confirming');
    expect(await plans.readOrder(order)).toMatchObject({ payable: false });
    await shop.paypal.behave();
    expect(await shop.returnFromPayment(order)).toBe('paid');
  });

  fullTest('a cancellation inside PayPal is noticed within a day, even if its webhook was lost', async () => {
    const plan = await plans.subscribe();
    await loseWebhooks(plan);
    await shop.paypal.cancelSubscription(plan.reference);
    await plans.advance(dayMs);
    // The month that is paid is not lost.
    await plans.waitForState(plan, 'ending');
    const { endsOn, ...ending } = await plans.read(plan);
    expect(ending).toMatchObject({ endReason: 'provider', actions: [] });
    await plans.advance(new Date(endsOn!));
    await plans.waitForState(plan, 'ended');
    expect(await plans.news(plan)).toEqual(['cancelled', 'ended']);
  });

  fullTest(
    'a cancellation here succeeds even if the customer has already cancelled inside PayPal',
    async () => {
      const plan = await plans.subscribe();
      await loseWebhooks(plan);
      await shop.paypal.cancelSubscription(plan.reference);
      expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({
        state: 'ending',
        actions: [],
      });
      const { endsOn } = await plans.read(plan);
      await plans.advance(new Date(endsOn!));
      await plans.waitForState(plan, 'ended');
      const admin = await shop.site.admin();
      expect(await plans.read(plan, admin)).toMatchObject({
        problem: null,
        endReason: 'customer',
      });
    },
  );

  fullTest(
    'a plan that began on the 31st is charged on the last day of shorter months, and on the 31st again',
    async () => {
      const { now } = await shop.paypal.clock();
      await plans.advance(new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 31, 12)));
      const plan = await plans.subscribe();
      for (let month = 0; month < 4; month += 1) await plans.toNextCharge(plan);
      const [, ...renewals] = await plans.chargeOrders(plan);
      const days = renewals.map(({ day }) => Number(day.slice(8)));
      const february = new Date(Date.UTC(now.getUTCFullYear() + 1, 2, 0)).getUTCDate();
      expect(days).toEqual([february, 31, 30, 31]);
    },
  );
});

describe('conflicting actions, and other customers', () => {
  test('a customer who approves two plans for one order keeps one', async () => {
    const order = await plans.placeOrder();
    const first = await plans.begin(order);
    // An attempt is continued for three hours. After that, Pay Now begins another one.
    await shop.sql.query(
      `UPDATE payment_attempts SET created_at = created_at - interval '4 hours' WHERE order_id = $1`,
      [order.id],
    );
    const second = await plans.begin(order);
    expect(second).not.toBe(first);
    await shop.paypal.approveSubscription(first);
    await shop.paypal.approveSubscription(second);
    await plans.settled();
    await eventually(async () => {
      const both = [...(await shop.paypal.subscriptions({ subscriptionId: first }))];
      both.push(...(await shop.paypal.subscriptions({ subscriptionId: second })));
      expect(both.map(({ status }) => status).sort()).toEqual(['ACTIVE', 'CANCELLED']);
    });
    // Both were charged immediately, so an admin has to refund one.
    await eventually(async () =>
      expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: ['paid_twice'] }),
    );
  });

  test('a plan that is approved after its order was cancelled is cancelled at PayPal', async () => {
    const order = await plans.placeOrder();
    const reference = await plans.begin(order);
    expect((await shop.cancel(order)).status).toBe(200);
    await shop.paypal.approveSubscription(reference);
    await plans.settled();
    await eventually(async () => {
      const found = await shop.paypal.subscriptions({ subscriptionId: reference });
      expect(found).toMatchObject([{ status: 'CANCELLED' }]);
    });
    // PayPal has charged before the plan could be cancelled there. The flag shows an admin that the money has to be refunded.
    expect((await shop.storedOrder(order)).flags).toEqual(['paid_after_cancel']);
  });

  test('a plan that is approved after its order was paid for one month is cancelled, and its charge is flagged for a refund', async () => {
    const order = await plans.placeOrder();
    const reference = await plans.begin(order);
    // Pay Now does this while no provider can renew plans.
    await shop.sql.query('UPDATE orders SET cycle = NULL WHERE id = $1', [order.id]);
    await shop.pay(order);
    await shop.returnFromPayment(order);
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    await shop.paypal.approveSubscription(reference);
    await eventually(async () => {
      const found = await shop.paypal.subscriptions({ subscriptionId: reference });
      expect(found).toMatchObject([{ status: 'CANCELLED' }]);
      expect((await shop.storedOrder(order)).flags).toEqual(['paid_twice']);
    });
    expect((await shop.storedOrder(order)).payments).toHaveLength(2);
    expect((await plans.readOrder(order)).renewal).toBeNull();
  });

  test('nobody sees or changes another customer’s plan, and only admins pause a plan or end it immediately', async () => {
    const plan = await plans.subscribe();
    const other = await shop.site.customer();
    for (const path of ['', '/timeline', '/change?packageName=Premium'])
      expect((await other.get(`/plan-subscription/${plan.id}${path}`)).status).toBe(404);
    for (const action of ['cancel', 'resume', 'retry', 'refresh'])
      expect(
        (await other.post(`/plan-subscription/${plan.id}/${action}`, action === 'cancel' ? {} : undefined))
          .status,
      ).toBe(404);
    expect((await other.post(`/plan-subscription/${plan.id}/pause`, undefined)).status).toBe(403);
    expect((await plan.customer.post(`/plan-subscription/${plan.id}/cancel`, { when: 'now' })).status).toBe(
      409,
    );
    expect((await plans.read(plan)).state).toBe('active');
  });
});

describe('an admin', () => {
  fullTest('pauses and resumes a plan, and nothing is charged meanwhile', async () => {
    const plan = await plans.subscribe();
    const admin = await shop.site.admin();
    expect(await plans.act(plan, 'pause', undefined, admin)).toMatchObject({
      state: 'paused',
      nextChargeAt: null,
    });
    await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
    await plans.advance(70 * dayMs);
    expect(await plans.chargeOrders(plan)).toHaveLength(1);
    expect(await plans.act(plan, 'resume', undefined, admin)).toMatchObject({ state: 'active' });
    await plans.waitForStatusAtPaypal(plan, 'ACTIVE');
    await plans.toNextCharge(plan);
    expect(await plans.chargeOrders(plan)).toHaveLength(2);
    await plans.expectBooksAgree(plan);
  });

  test('ends a plan immediately', async () => {
    const plan = await plans.subscribe();
    const admin = await shop.site.admin();
    expect(await plans.act(plan, 'cancel', { when: 'now' }, admin)).toMatchObject({
      state: 'ended',
      endReason: 'admin',
    });
    await plans.waitForStatusAtPaypal(plan, 'CANCELLED');
  });

  fullTest('refunds a charge here, and another one at PayPal', async () => {
    const plan = await plans.subscribe();
    await plans.toNextCharge(plan);
    const admin = await shop.site.admin();
    const [first, second] = (await plans.atPaypal(plan)).charges;
    const refund = { txnId: first!.transactionId, amount: '90.00', reason: 'A week was not delivered.' };
    expect((await admin.post(`/order/${plan.order.id}/refund`, refund)).status).toBe(201);
    await shop.paypal.refund(second!.transactionId);
    await plans.settled();
    await eventually(async () =>
      expect(await plans.chargeOrders(plan)).toMatchObject([
        { paymentState: 'partially_refunded' },
        { paymentState: 'refunded' },
      ]),
    );
    expect(await shop.storedOrder(plan.order)).toMatchObject({ refundedCents: 9_000, paymentStatus: 'Paid' });
    await plans.expectBooksAgree(plan);
  });
});

test('a dispute about a charge is noticed by its own webhook, even if the webhook about the reversal is lost', async () => {
  const plan = await plans.subscribe();
  await plans.toNextCharge(plan);
  const [, second] = (await plans.atPaypal(plan)).charges;
  // As for an older charge, the next inquiry is far away.
  await shop.sql.query(
    `UPDATE payment_attempts SET inquire_at = now() + interval '30 days' WHERE checkout_reference = $1`,
    [second!.transactionId],
  );
  const lost = { drop: true, events: ['PAYMENT.SALE.REVERSED'] };
  await shop.paypal.misbehave({ subscriptionId: plan.reference }, lost);
  await shop.paypal.dispute(second!.transactionId, 'opened');
  await eventually(async () =>
    expect(await plans.chargeOrders(plan)).toMatchObject([
      { cycle: 1, paymentState: 'paid' },
      { cycle: 2, paymentState: 'disputed' },
    ]),
  );
});

fullTest(
  'an e-check is pending until it clears; if it fails, the next charge pays the same order',
  async () => {
    const cleared = await plans.subscribe({ fund: 'echeck' });
    expect(await plans.read(cleared)).toMatchObject({ state: 'pending', cycles: 0 });
    const [pending] = (await plans.atPaypal(cleared)).charges;
    await shop.paypal.settle(pending!.transactionId, 'Completed');
    await plans.settled();
    await plans.waitForState(cleared, 'active');
    await plans.expectBooksAgree(cleared);

    const failed = await plans.subscribe({ fund: 'echeck' });
    const [charge] = (await plans.atPaypal(failed)).charges;
    await shop.paypal.setFunding(failed.reference, 'ok');
    await shop.paypal.settle(charge!.transactionId, 'Failed');
    await plans.settled();
    await plans.waitForState(failed, 'past_due');
    await plans.act(failed, 'retry');
    await plans.waitForState(failed, 'active');
    expect(await plans.chargeOrders(failed)).toMatchObject([{ cycle: 1, paymentState: 'paid' }]);
  },
);

fullTest('a deleted account ends its plan at PayPal', async () => {
  const customer = await shop.site.customer();
  const plan = await plans.subscribe({ customer });
  const { status } = await customer.post('/auth/delete-account', {
    currentPassword: 'correct horse battery',
  });
  expect(status).toBe(200);
  await plans.waitForStatusAtPaypal(plan, 'CANCELLED');
  const { rows } = await shop.sql.query(
    'SELECT state, end_reason, customer_name, customer_email FROM subscriptions WHERE id = $1',
    [plan.id],
  );
  expect(rows).toEqual([
    { state: 'ended', end_reason: 'account_deleted', customer_name: '', customer_email: '' },
  ]);
});

test('a cancellation succeeds while PayPal does not answer, and is sent to PayPal later', async () => {
  const plan = await plans.subscribe();
  for (const operation of ['subscriptions.get', 'subscriptions.suspend'] as const)
    await shop.paypal.misbehaveApi({ operation, mode: 'timeout' });
  expect(await plans.act(plan, 'cancel', { when: 'at_end' })).toMatchObject({ state: 'ending' });
  await shop.paypal.behave();
  await plans.waitForStatusAtPaypal(plan, 'SUSPENDED');
});
