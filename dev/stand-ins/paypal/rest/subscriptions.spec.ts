import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { PayPalSimulator } from '../client.js';
import type { FundingSource, RestApp, Subscription } from '../model.js';
import { Listener } from '../test/listener.js';
import { planBody, RestClient, subscriptionBody } from './test/rest-client.js';

const day = 24 * 3_600_000;
const path = '/v1/billing/subscriptions';

describe('subscriptions', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  let app: RestApp;
  let shop: RestClient;
  let productId: string;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([PayPalSimulator.start({ clock: 'frozen' }), Listener.open()]);
    app = await paypal.setUpApp({ webhookUrl: listener.url });
    shop = new RestClient(paypal.url, app);
    const body = { name: 'SEO', type: 'SERVICE' };
    productId = (await shop.post('/v1/catalogs/products', { body })).body.id;
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  // `createPlan`, `read` and `act` get a new token, because tokens expire when the clock is moved far ahead.
  async function createPlan(overrides: object = {}, preferences: object = {}): Promise<string> {
    await shop.signIn();
    const { body } = await shop.post('/v1/billing/plans', {
      body: planBody(productId, overrides, preferences),
    });
    return body.id;
  }
  async function createSubscription(planId?: string, overrides: object = {}): Promise<string> {
    const body = subscriptionBody(planId ?? (await createPlan()), overrides);
    return (await shop.post(path, { body })).body.id;
  }
  async function subscribe(fund: FundingSource = 'ok', planId?: string): Promise<string> {
    const id = await createSubscription(planId);
    await paypal.approveSubscription(id, { with: fund });
    await paypal.waitUntilIdle();
    return id;
  }
  async function read(id: string, fields = 'last_failed_payment') {
    await shop.signIn();
    return (await shop.get(`${path}/${id}?fields=${fields}`)).body;
  }
  const act = async (id: string, action: string, body: object = { reason: 'Wanted' }) => {
    await shop.signIn();
    return shop.post(`${path}/${id}/${action}`, { body });
  };
  /** The subscription in the simulator's own records, which the REST API shows only in part. */
  const truth = async (subscriptionId: string): Promise<Subscription> =>
    (await paypal.subscriptions({ subscriptionId }))[0]!;
  const refusalOf = ({ status, body }: { status: number; body: { details: { issue: string }[] } }) => [
    status,
    body.details[0]!.issue,
  ];
  const events = () => listener.heard.map(({ body }) => JSON.parse(body.toString()));
  /** The types of all events except the first `before`, sorted. */
  const typesAfter = async (before: number): Promise<string[]> => {
    await paypal.waitUntilIdle();
    return events()
      .slice(before)
      .map((event) => event.event_type)
      .sort();
  };
  const moveTo = (date: string) => paypal.advanceClock(new Date(`${date}T12:00:00Z`));
  const year = new Date().getUTCFullYear() + 1;

  describe('the catalog', () => {
    test('lists products and plans, and plans can be activated and deactivated', async () => {
      const planId = await createPlan({ status: 'CREATED' });
      const { body: listed } = await shop.get(
        `/v1/billing/plans?product_id=${productId}&total_required=true`,
      );
      expect(listed).toMatchObject({ total_items: 1, plans: [{ id: planId, status: 'CREATED' }] });
      const repeated = await shop.get(`/v1/billing/plans?plan_ids=P-UNKNOWN&plan_ids=${planId}`);
      expect(repeated.body).toMatchObject({ plans: [{ id: planId }] });
      const { body: products } = await shop.get('/v1/catalogs/products');
      expect(products.products).toMatchObject([{ id: productId, name: 'SEO' }]);
      const deactivate = () => shop.post(`/v1/billing/plans/${planId}/deactivate`);
      expect(refusalOf(await deactivate())).toEqual([422, 'PLAN_STATUS_INVALID']);
      expect((await shop.post(`/v1/billing/plans/${planId}/activate`)).status).toBe(204);
      expect((await deactivate()).status).toBe(204);
      expect((await shop.get(`/v1/billing/plans/${planId}`)).body).toMatchObject({
        status: 'INACTIVE',
        billing_cycles: [{ pricing_scheme: { fixed_price: { currency_code: 'USD', value: '49.00' } } }],
      });
      expect(await typesAfter(0)).toEqual(['BILLING.PLAN.CREATED', 'CATALOG.PRODUCT.CREATED']);
      const answer = await shop.post(path, { body: subscriptionBody(planId) });
      expect(refusalOf(answer)).toEqual([422, 'PLAN_STATUS_INVALID']);
    });

    const threshold = (payment_failure_threshold: number) => ({
      payment_preferences: { payment_failure_threshold },
    });
    test.each<[string, object, string]>([
      ['no name', { name: undefined }, 'MISSING_REQUIRED_PARAMETER'],
      ['a name that is too long', { name: 'x'.repeat(128) }, 'INVALID_STRING_MAX_LENGTH'],
      ['a number that is too large', threshold(1000), 'INVALID_INTEGER_MAX_VALUE'],
      ['a number that is too small', threshold(-1), 'INVALID_INTEGER_MIN_VALUE'],
      ['no cycle', { billing_cycles: [] }, 'INVALID_PARAMETER_VALUE'],
      ['taxes', { taxes: { percentage: '21' } }, 'INVALID_PARAMETER_VALUE'],
    ])('refuses a plan with %s', async (_, overrides, issue) => {
      const answer = await shop.post('/v1/billing/plans', { body: planBody(productId, overrides) });
      expect(refusalOf(answer)).toEqual([400, issue]);
    });

    test("does not show another merchant's resources", async () => {
      const [planId, id] = [await createPlan(), await subscribe()];
      const otherShop = new RestClient(paypal.url, await paypal.setUpApp());
      for (const address of [
        `/v1/catalogs/products/${productId}`,
        `/v1/billing/plans/${planId}`,
        `${path}/${id}`,
      ])
        expect(refusalOf(await otherShop.get(address))).toEqual([404, 'INVALID_RESOURCE_ID']);
    });
  });

  describe('the approval', () => {
    test('charges the first cycle immediately, and sends the buyer back to the shop', async () => {
      const id = await createSubscription();
      const pending = await read(id);
      expect(pending).toMatchObject({ status: 'APPROVAL_PENDING', custom_id: 'attempt-1' });
      expect(pending.billing_info).toBeUndefined();
      const approve = pending.links.find(({ rel }: { rel: string }) => rel === 'approve').href;
      const token = new URL(approve).searchParams.get('ba_token')!;
      expect(await (await fetch(approve)).text()).toContain('$49.00 each month');
      const answer = await fetch(approve, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'method=ok',
        redirect: 'manual',
      });
      expect(answer.headers.get('location')).toBe(
        `http://localhost:3000/received-payment/1?subscription_id=${id}&ba_token=${token}&token=${token}`,
      );
      const active = await read(id, 'plan');
      expect(await read(id, 'last_failed_payment&fields=plan')).toEqual(active);
      expect(active).toMatchObject({
        status: 'ACTIVE',
        plan: { name: 'Basic' },
        billing_info: {
          outstanding_balance: { currency_code: 'USD', value: '0.00' },
          cycle_executions: [{ cycles_completed: 1 }],
          last_payment: { amount: { currency_code: 'USD', value: '49.00' } },
          failed_payments_count: 0,
        },
      });
      expect(await truth(id)).toMatchObject({ cyclesBilled: 1, charges: [{ standing: 'Completed' }] });
      expect((await fetch(approve)).status).toBe(404);
      // The first two events are those of the product and the plan.
      expect(await typesAfter(2)).toEqual([
        'BILLING.SUBSCRIPTION.ACTIVATED',
        'BILLING.SUBSCRIPTION.CREATED',
        'PAYMENT.SALE.COMPLETED',
      ]);
    });

    test('leaves the subscription APPROVED until the merchant activates it if `user_action` is CONTINUE', async () => {
      const { application_context: context } = subscriptionBody('');
      const id = await createSubscription(undefined, {
        application_context: { ...context, user_action: 'CONTINUE' },
      });
      await paypal.approveSubscription(id);
      expect((await read(id)).status).toBe('APPROVED');
      expect(await truth(id)).toMatchObject({ status: 'APPROVED', charges: [] });
      expect((await act(id, 'activate')).status).toBe(204);
      expect(await truth(id)).toMatchObject({ status: 'ACTIVE', charges: [{ gross: '49.00' }] });
    });

    test('with a declined payment method activates the subscription without a payment', async () => {
      const id = await subscribe('declined');
      expect(await read(id)).toMatchObject({
        status: 'ACTIVE',
        billing_info: {
          outstanding_balance: { value: '49.00' },
          failed_payments_count: 1,
          last_failed_payment: { reason_code: 'PAYER_CANNOT_PAY' },
        },
      });
      const { charges } = await truth(id);
      expect(charges.filter(({ standing }) => standing === 'Completed')).toEqual([]);
    });
  });

  test('are created once, and their outstanding amount is captured once, for each request id', async () => {
    const body = subscriptionBody(await createPlan());
    const first = await shop.post(path, { body, requestId: 'one' });
    const repeated = await shop.post(path, { body, requestId: 'one' });
    expect([first.status, repeated.status, repeated.body]).toEqual([201, 200, first.body]);
    const { id } = first.body;
    await paypal.approveSubscription(id, { with: 'declined' });
    await paypal.setFunding(id, 'ok');
    const amount = { currency_code: 'USD', value: '20.00' };
    const capture = () =>
      shop.post(`${path}/${id}/capture`, {
        body: { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount },
        requestId: 'two',
      });
    const captured = await capture();
    expect(await capture()).toMatchObject({ status: 200, body: captured.body });
    expect(captured.body).toMatchObject({ status: 'COMPLETED' });
    expect(await truth(id)).toMatchObject({ outstanding: '29.00', charges: [{}, { gross: '20.00' }] });
  });

  describe('the clock', () => {
    test.each([28, 29, 30, 31])(
      'charges on day %i of 24 months, or on the last day of a shorter month, in one jump',
      async (first) => {
        await moveTo(`${year}-01-${first}`);
        const id = await subscribe();
        const before = listener.heard.length;
        await moveTo(`${year + 2}-02-01`);
        const { charges, nextBillingAt } = await truth(id);
        const times = charges.map(({ entries: [entry] }) => entry!.at);
        expect(times).toHaveLength(25);
        expect(times).toEqual([...times].sort());
        for (const [index, time] of times.slice(1).entries()) {
          const month = new Date(Date.UTC(year, index + 2, 0));
          const expectedDay = Math.min(first, month.getUTCDate());
          expect(time).toBe(`${month.toISOString().slice(0, 7)}-${expectedDay}T10:00:00.000Z`);
        }
        const nextDay = Math.min(first, new Date(Date.UTC(year + 2, 2, 0)).getUTCDate());
        expect(nextBillingAt).toBe(`${year + 2}-02-${nextDay}T10:00:00.000Z`);
        const sales = events().slice(before);
        expect(sales.map(({ resource }) => resource.id)).toEqual(
          charges.slice(1).map(({ transactionId }) => transactionId),
        );
        for (const [index, { headers }] of listener.heard.slice(before).entries())
          expect(`${String(headers['paypal-transmission-time']).slice(0, 19)}.000Z`).toBe(times[index + 1]);
      },
    );

    test('can be read and advanced, but not to an earlier time', async () => {
      const { now } = await paypal.clock();
      const later = await paypal.advanceClock(day);
      expect(later.getTime()).toBe(now.getTime() + day);
      await expect(paypal.advanceClock(now)).rejects.toMatchObject({ status: 409, field: 'to' });
      expect((await paypal.clock()).ahead).toBeGreaterThan(day - 60_000);
    });

    test('can start in the past, but not after a payment', async () => {
      const unused = await PayPalSimulator.start({ clock: 'frozen' });
      const past = new Date(Date.now() - 170 * day);
      await unused.startClockAt(past);
      const form = { business: 'shop@example.com', amount: '1.00', currency_code: 'USD', item_name: 'Basic' };
      const { payment } = await unused.pay(form);
      expect(payment.entries[0]!.at).toBe(past.toISOString());
      const later = new Date(past.getTime() + day);
      expect(await unused.advanceClock(later)).toEqual(later);
      await expect(unused.startClockAt(past)).rejects.toMatchObject({ status: 409, field: 'startAt' });
      await unused.stop();
    });

    test('charges at the billing time when it is not frozen', async () => {
      await paypal.stop();
      paypal = await PayPalSimulator.start();
      shop = new RestClient(paypal.url, await paypal.setUpApp());
      const { body } = await shop.post('/v1/catalogs/products', { body: { name: 'SEO', type: 'SERVICE' } });
      productId = body.id;
      const id = await subscribe();
      const { nextBillingAt } = await truth(id);
      await paypal.advanceClock(new Date(Date.parse(nextBillingAt!) - 200));
      await eventually(async () => {
        const [, second] = (await truth(id)).charges;
        expect(Date.parse(second!.entries[0]!.at)).toBeGreaterThanOrEqual(Date.parse(nextBillingAt!));
      });
    });

    test('ends a subscription after the number of cycles of its plan', async () => {
      const [cycle] = planBody(productId).billing_cycles;
      const id = await subscribe('ok', await createPlan({ billing_cycles: [{ ...cycle, total_cycles: 2 }] }));
      await paypal.advanceClock(200 * day);
      expect(await truth(id)).toMatchObject({ status: 'EXPIRED', nextBillingAt: null, cyclesBilled: 2 });
      expect(await typesAfter(0)).toContain('BILLING.SUBSCRIPTION.EXPIRED');
    });
  });

  describe('a charge that fails', () => {
    test('is tried again after five days, twice, and then stays outstanding until the next cycle', async () => {
      await moveTo(`${year}-01-15`);
      const id = await subscribe();
      await paypal.setFunding(id, 'declined');
      const before = listener.heard.length;
      await moveTo(`${year}-02-16`);
      const first = (await read(id)).billing_info;
      expect(first).toMatchObject({
        outstanding_balance: { value: '49.00' },
        failed_payments_count: 1,
        next_billing_time: `${year}-03-15T10:00:00Z`,
        last_failed_payment: { next_payment_retry_time: `${year}-02-20T10:00:00Z` },
      });
      expect((await read(id, 'plan')).billing_info.last_failed_payment).toBeUndefined();
      await moveTo(`${year}-03-14`);
      const { charges, retryAt } = await truth(id);
      expect(charges.slice(1).map(({ entries: [entry] }) => entry!.at.slice(5, 10))).toEqual([
        '02-15',
        '02-20',
        '02-25',
      ]);
      expect(retryAt).toBeNull();
      expect((await read(id)).billing_info).toMatchObject({
        outstanding_balance: { value: '49.00' },
        failed_payments_count: 3,
      });
      expect(await typesAfter(before)).toEqual(Array<string>(3).fill('BILLING.SUBSCRIPTION.PAYMENT.FAILED'));
      await paypal.setFunding(id, 'ok');
      await moveTo(`${year}-03-16`);
      expect((await truth(id)).charges.at(-1)).toMatchObject({ standing: 'Completed', gross: '98.00' });
      expect((await read(id)).billing_info).toMatchObject({
        outstanding_balance: { value: '0.00' },
        failed_payments_count: 0,
      });
    });

    test('can succeed when it is tried again, for the same amount', async () => {
      const id = await subscribe('declined');
      await paypal.setFunding(id, 'ok');
      await paypal.advanceClock(6 * day);
      expect(await truth(id)).toMatchObject({
        outstanding: '0.00',
        failedPayments: 0,
        retryAt: null,
        charges: [{ standing: 'Denied' }, { standing: 'Completed', gross: '49.00' }],
      });
    });

    test('is not tried again on or after the day of the next cycle, which includes the amount', async () => {
      const [cycle] = planBody(productId).billing_cycles;
      const weekly = { ...cycle, frequency: { interval_unit: 'WEEK', interval_count: 1 } };
      const id = await subscribe('declined', await createPlan({ billing_cycles: [weekly] }));
      const { retryAt } = await truth(id);
      expect(retryAt).not.toBeNull();
      await paypal.advanceClock(new Date(retryAt!));
      expect(await truth(id)).toMatchObject({ failedPayments: 2, retryAt: null });
      expect((await read(id)).billing_info.last_failed_payment).not.toHaveProperty('next_payment_retry_time');
      await paypal.setFunding(id, 'ok');
      await paypal.advanceClock(3 * day);
      const { charges, outstanding } = await truth(id);
      expect(charges.map(({ gross }) => gross)).toEqual(['49.00', '49.00', '98.00']);
      expect(outstanding).toBe('0.00');
    });

    test('stays outstanding until it is captured if the plan does not bill outstanding amounts', async () => {
      const id = await subscribe('declined', await createPlan({}, { auto_bill_outstanding: false }));
      await paypal.advanceClock(15 * day);
      await paypal.setFunding(id, 'ok');
      await paypal.advanceClock(20 * day);
      expect(await truth(id)).toMatchObject({ outstanding: '49.00', failedPayments: 0, cyclesBilled: 2 });
      const capture = (value: string, code = 'USD') =>
        act(id, 'capture', {
          note: 'Please',
          capture_type: 'OUTSTANDING_BALANCE',
          amount: { currency_code: code, value },
        });
      expect(refusalOf(await capture('50.00'))).toEqual([422, 'AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE']);
      expect(refusalOf(await capture('49.00', 'EUR'))).toEqual([422, 'CURRENCY_MISMATCH']);
      expect(await capture('49.00')).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
      expect(refusalOf(await capture('49.00'))).toEqual([422, 'ZERO_OUTSTANDING_BALANCE']);
    });

    test('suspends the subscription when the threshold of the plan is reached', async () => {
      const id = await subscribe('declined', await createPlan({}, { payment_failure_threshold: 2 }));
      await paypal.advanceClock(60 * day);
      expect(await truth(id)).toMatchObject({ status: 'SUSPENDED', failedPayments: 2 });
      expect(refusalOf(await act(id, 'activate'))).toEqual([422, 'SUBSCRIPTION_CANNOT_BE_ACTIVATED']);
      await paypal.setFunding(id, 'ok');
      const amount = { currency_code: 'USD', value: '49.00' };
      await act(id, 'capture', { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount });
      expect((await act(id, 'activate')).status).toBe(204);
    });

    test('is not tried again while its capture is pending', async () => {
      const id = await subscribe('declined');
      await paypal.setFunding(id, 'echeck');
      const amount = { currency_code: 'USD', value: '49.00' };
      await act(id, 'capture', { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount });
      await paypal.advanceClock(12 * day);
      expect((await truth(id)).charges).toMatchObject([{ standing: 'Denied' }, { standing: 'Pending' }]);
    });

    test('is not tried again if it is a capture that is made when no retry is left', async () => {
      const id = await subscribe('declined', await createPlan({}, { auto_bill_outstanding: false }));
      await paypal.advanceClock(15 * day);
      await paypal.setFunding(id, 'ok');
      await paypal.advanceClock(20 * day);
      await paypal.setFunding(id, 'declined');
      const amount = { currency_code: 'USD', value: '49.00' };
      const captured = await act(id, 'capture', {
        note: 'Please',
        capture_type: 'OUTSTANDING_BALANCE',
        amount,
      });
      expect(captured).toMatchObject({ status: 200, body: { status: 'DECLINED' } });
      expect(await truth(id)).toMatchObject({ outstanding: '49.00', failedPayments: 1, retryAt: null });
    });

    test('is not tried again if it is a capture that is made while the next month’s charge is pending', async () => {
      const id = await subscribe('declined', await createPlan({}, { auto_bill_outstanding: false }));
      await paypal.advanceClock(15 * day);
      await paypal.setFunding(id, 'echeck');
      await paypal.advanceClock(20 * day);
      await paypal.setFunding(id, 'declined');
      const amount = { currency_code: 'USD', value: '49.00' };
      const earlierCharges = (await truth(id)).charges;
      expect(earlierCharges.at(-1)).toMatchObject({ standing: 'Pending' });
      await act(id, 'capture', { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount });
      expect(await truth(id)).toMatchObject({ outstanding: '49.00', retryAt: null });
      await paypal.advanceClock(12 * day);
      expect((await truth(id)).charges).toHaveLength(earlierCharges.length + 1);
      // The next month's charge is still tried again if its e-check fails.
      await paypal.failEcheck(earlierCharges.at(-1)!.transactionId);
      expect((await truth(id)).retryAt).not.toBeNull();
    });

    test('is not tried again after the subscription was suspended, and neither is a capture that fails later', async () => {
      const id = await subscribe('declined');
      await act(id, 'suspend');
      await act(id, 'activate');
      const amount = { currency_code: 'USD', value: '49.00' };
      await act(id, 'capture', { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount });
      expect(await truth(id)).toMatchObject({ status: 'ACTIVE', failedPayments: 2, retryAt: null });
    });

    test('can be an e-check that fails days later, and clears when it is tried again', async () => {
      const id = await subscribe('echeck');
      const [pending] = (await truth(id)).charges;
      expect(pending).toMatchObject({ standing: 'Pending' });
      expect((await read(id)).billing_info).toMatchObject({ outstanding_balance: { value: '0.00' } });
      await paypal.advanceClock(3 * day);
      await paypal.failEcheck(pending!.transactionId);
      expect((await read(id)).billing_info).toMatchObject({
        outstanding_balance: { value: '49.00' },
        last_failed_payment: { reason_code: 'PAYMENT_DENIED' },
      });
      await paypal.advanceClock(6 * day);
      const retry = (await truth(id)).charges[1]!;
      await paypal.clearEcheck(retry.transactionId);
      expect(await truth(id)).toMatchObject({ outstanding: '0.00', failedPayments: 0, retryAt: null });
      // The first five: product, plan, and the subscription's creation, activation and first charge.
      expect(await typesAfter(5)).toEqual([
        'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
        'PAYMENT.SALE.COMPLETED',
        'PAYMENT.SALE.DENIED',
        'PAYMENT.SALE.PENDING',
      ]);
    });
  });

  describe('a subscription', () => {
    test('is not charged while it is suspended, and continues at the next billing time after it is activated', async () => {
      await moveTo(`${year}-01-31`);
      const id = await subscribe();
      expect((await act(id, 'suspend')).status).toBe(204);
      expect(refusalOf(await act(id, 'suspend'))).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
      await moveTo(`${year}-04-15`);
      expect((await truth(id)).charges).toHaveLength(1);
      expect((await act(id, 'activate')).status).toBe(204);
      expect(refusalOf(await act(id, 'activate'))).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
      expect((await read(id)).billing_info.next_billing_time).toBe(`${year}-04-30T10:00:00Z`);
      await moveTo(`${year}-05-01`);
      expect((await truth(id)).charges).toHaveLength(2);
      // The first five: product, plan, and the subscription's creation, activation and first charge.
      expect(await typesAfter(5)).toEqual([
        'BILLING.SUBSCRIPTION.RE-ACTIVATED',
        'BILLING.SUBSCRIPTION.SUSPENDED',
        'PAYMENT.SALE.COMPLETED',
      ]);
    });

    test('cannot be changed after the merchant cancelled it, nor cancelled again after the buyer cancelled it', async () => {
      const [id, cancelledByBuyer] = [await subscribe(), await subscribe()];
      expect((await act(id, 'cancel')).status).toBe(204);
      await paypal.suspendSubscription(cancelledByBuyer);
      expect(await paypal.cancelSubscription(cancelledByBuyer)).toMatchObject({ status: 'CANCELLED' });
      await expect(paypal.cancelSubscription(cancelledByBuyer)).rejects.toMatchObject({ status: 422 });
      for (const action of ['cancel', 'suspend', 'activate'])
        expect(refusalOf(await act(id, action))).toEqual([422, 'SUBSCRIPTION_STATUS_INVALID']);
      await paypal.advanceClock(60 * day);
      const { charges } = await truth(id);
      expect(charges).toHaveLength(1);
      expect((await read(id)).billing_info.next_billing_time).toBeUndefined();
    });

    test('can be changed by the buyer in the PayPal account', async () => {
      const id = await subscribe();
      const submit = (form: Record<string, string>) =>
        fetch(`${paypal.url}/myaccount/autopay/connect/${id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: String(new URLSearchParams(form)),
          redirect: 'manual',
        });
      expect((await submit({ action: 'fund', method: 'declined' })).status).toBe(303);
      expect((await truth(id)).fund).toBe('declined');
      expect((await submit({ action: 'cancel' })).status).toBe(303);
      expect((await submit({ action: 'cancel' })).status).toBe(422);
      expect(await (await fetch(`${paypal.url}/myaccount/autopay`)).text()).toContain('Cancelled');
      expect(await (await fetch(paypal.url)).text()).toContain(id);
    });

    test('is listed in the PayPal account, which shows the newest fifty and says how many there are', async () => {
      const planId = await createPlan();
      for (let count = 0; count < 51; count++) await subscribe('ok', planId);
      const page = await (await fetch(`${paypal.url}/myaccount/autopay`)).text();
      expect(page.match(/<section/g)).toHaveLength(50);
      expect(page).toContain('Showing the newest 50 of 51.');
    });
  });

  describe('a revision', () => {
    const expensivePrice = { pricing_scheme: { fixed_price: { currency_code: 'USD', value: '99.00' } } };
    const expensivePlan = () =>
      createPlan({
        name: 'Pro',
        billing_cycles: [{ ...planBody(productId).billing_cycles[0], ...expensivePrice }],
      });

    test('takes effect with the next cycle, once the buyer has approved it', async () => {
      const id = await subscribe();
      const { application_context: context } = subscriptionBody('');
      const body = { plan_id: await expensivePlan(), application_context: context };
      const revised = await act(id, 'revise', body);
      expect(revised.status).toBe(200);
      await paypal.advanceClock(32 * day);
      expect((await truth(id)).charges.at(-1)).toMatchObject({ gross: '49.00' });
      const approve = revised.body.links.find(({ rel }: { rel: string }) => rel === 'approve').href;
      expect(await (await fetch(approve)).text()).toContain('$99.00 each month');
      const { returnUrl } = await paypal.approveRevision(id);
      expect(new URL(returnUrl!).searchParams.get('subscription_id')).toBe(id);
      expect(await read(id)).toMatchObject({ plan_id: body.plan_id });
      expect((await truth(id)).charges).toHaveLength(2);
      await paypal.advanceClock(31 * day);
      expect((await truth(id)).charges.at(-1)).toMatchObject({ gross: '99.00', itemName: 'Pro' });
      expect(await typesAfter(0)).toContain('BILLING.SUBSCRIPTION.UPDATED');
    });

    test('cannot be approved before the subscription is approved, or if none was requested', async () => {
      const id = await createSubscription();
      await expect(paypal.approveRevision(id)).rejects.toMatchObject({ status: 400 });
      await paypal.approveSubscription(id);
      await expect(paypal.approveRevision(id)).rejects.toMatchObject({ status: 409 });
    });

    test('is refused for a plan of another product, and while the subscription is suspended', async () => {
      const id = await subscribe();
      const { body } = await shop.post('/v1/catalogs/products', {
        body: { name: 'Other', type: 'SERVICE' },
      });
      const { body: otherProductsPlan } = await shop.post('/v1/billing/plans', { body: planBody(body.id) });
      expect(refusalOf(await act(id, 'revise', { plan_id: otherProductsPlan.id }))).toEqual([
        422,
        'PLAN_PRODUCT_NOT_COMPATIBLE',
      ]);
      await act(id, 'suspend');
      expect(refusalOf(await act(id, 'revise', { plan_id: await expensivePlan() }))).toEqual([
        422,
        'SUBSCRIPTION_STATUS_INVALID',
      ]);
    });
  });

  describe('charges', () => {
    test('are listed for a span of time, and can be refunded and disputed like captures', async () => {
      const id = await subscribe();
      const from = new Date((await paypal.clock()).now.getTime() + 1_000);
      await paypal.advanceClock(40 * day);
      const [first, second] = (await truth(id)).charges;
      await shop.signIn();
      const range = `start_time=${from.toISOString()}&end_time=2099-01-01T00:00:00Z`;
      const { body } = await shop.get(`${path}/${id}/transactions?${range}`);
      expect(body.transactions).toMatchObject([{ id: second!.transactionId, status: 'COMPLETED' }]);
      expect(refusalOf(await shop.get(`${path}/${id}/transactions`))).toEqual([
        400,
        'MISSING_REQUIRED_PARAMETER',
      ]);
      const capture = `/v2/payments/captures/${first!.transactionId}`;
      const before = listener.heard.length;
      const { body: refund } = await shop.post(`${capture}/refund`, {
        body: { amount: { currency_code: 'USD', value: '9.00' } },
      });
      expect((await shop.get(`/v2/payments/refunds/${refund.id}`)).body.amount.value).toBe('9.00');
      expect((await shop.get(capture)).body.status).toBe('PARTIALLY_REFUNDED');
      await paypal.dispute(first!.transactionId, 'opened');
      expect(await typesAfter(before)).toEqual([
        'CUSTOMER.DISPUTE.CREATED',
        'PAYMENT.SALE.REFUNDED',
        'PAYMENT.SALE.REVERSED',
      ]);
      const event = events().find(({ event_type: type }) => type === 'PAYMENT.SALE.REFUNDED');
      expect(event.resource).toMatchObject({
        id: refund.id,
        sale_id: first!.transactionId,
        amount: { total: '9.00', currency: 'USD' },
      });
      const { body: disputes } = await shop.get(
        `/v1/customer/disputes?disputed_transaction_id=${first!.transactionId}`,
      );
      expect(disputes.items).toHaveLength(1);
    });

    test('have webhooks that can be held, and calls about their subscription can fail on request', async () => {
      const id = await createSubscription();
      await paypal.misbehave({ subscriptionId: id }, { hold: true, events: ['PAYMENT.SALE.COMPLETED'] });
      await paypal.approveSubscription(id);
      const [held] = await paypal.webhooks({ subscriptionId: id, state: 'held' });
      expect(JSON.parse(held!.body).resource).toMatchObject({
        state: 'completed',
        amount: { total: '49.00', currency: 'USD' },
        custom: 'attempt-1',
        billing_agreement_id: id,
      });
      await paypal.misbehaveApi({
        operation: 'subscriptions.cancel',
        mode: 'error after success',
        match: { subscriptionId: id },
        times: 1,
      });
      expect((await act(id, 'cancel')).status).toBe(500);
      expect((await read(id)).status).toBe('CANCELLED');
    });
  });
});
