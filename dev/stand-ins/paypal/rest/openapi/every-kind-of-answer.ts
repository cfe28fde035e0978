import type { PayPalSimulator } from '../../client.js';
import type { ApiFault, FundingSource, OrderPaymentMethod, RestApp } from '../../model.js';
import { Listener } from '../../test/listener.js';
import { type CallOptions, orderBody, planBody, RestClient, subscriptionBody } from '../test/rest-client.js';

/** An answer, a webhook event, or the resource of a webhook event. */
export interface Recording {
  method: string;
  path: string;
  status: number;
  body: unknown;
  /** Set for a webhook event or its resource, whose `method` and `path` are empty, and whose `status` is 0. */
  webhookPart?: string;
}

class Recorder {
  readonly answers: Recording[] = [];
  private requests = 0;
  private client: RestClient;

  constructor(
    readonly paypal: PayPalSimulator,
    private readonly app: RestApp,
  ) {
    this.client = new RestClient(paypal.url, app);
  }

  async call(method: string, path: string, options: CallOptions = {}) {
    const answer = await this.client.call(method, path, { requestId: `r${++this.requests}`, ...options });
    this.answers.push({ method, path: path.split('?')[0]!, status: answer.status, body: answer.body });
    return answer;
  }

  /** Tokens last only nine hours of the simulator's clock. */
  signInAgain(): void {
    this.client = new RestClient(this.paypal.url, this.app);
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, options?: CallOptions) => this.call('POST', path, options);

  async order(overrides: object = {}, unit: object = {}, options: CallOptions = {}): Promise<string> {
    const { body } = await this.post('/v2/checkout/orders', { body: orderBody(overrides, unit), ...options });
    return body.id;
  }

  async capture(
    by: OrderPaymentMethod = 'balance',
    options: CallOptions = {},
  ): Promise<{ order: string; id: string }> {
    const order = await this.order();
    await this.paypal.approveOrder(order, { with: by });
    await this.get(`/v2/checkout/orders/${order}`);
    const { body } = await this.post(`/v2/checkout/orders/${order}/capture`, options);
    await this.get(`/v2/checkout/orders/${order}`);
    const id = body.purchase_units?.[0].payments.captures[0].id;
    if (id) await this.get(`/v2/payments/captures/${id}`);
    return { order, id };
  }
}

/** Leaves out 403, and the answers about tokens and disputes. Returns the answers, and the webhooks that the simulator sent. */
export async function everyKindOfAnswer(paypal: PayPalSimulator): Promise<Recording[]> {
  const listener = await Listener.open();
  const app = await paypal.setUpApp({ webhookUrl: listener.url });
  const shop = new Recorder(paypal, app);
  await recordOrders(shop, app);
  await recordPayments(shop);
  await recordFaults(shop);
  await recordBilling(shop);
  await paypal.waitUntilIdle();
  await recordWebhooks(shop, app, listener);
  await listener.close();
  const events = listener.heard.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  return [...shop.answers, ...events.flatMap(partsOf)];
}

function partsOf(event: Record<string, unknown>): Recording[] {
  const recordingOf = (webhookPart: string, body: unknown): Recording => ({
    method: '',
    path: '',
    status: 0,
    body,
    webhookPart,
  });
  const isMock = event.summary === 'A mock event';
  return [
    recordingOf('webhook event', event),
    // Not checked: `Descriptions` reads no schema of disputes or of payments v1, and the resource of a mock event is incomplete.
    ...(event.resource_type === 'dispute' || String(event.event_type).startsWith('PAYMENT.SALE.') || isMock
      ? []
      : [recordingOf(`webhook resource: ${String(event.resource_type)}`, event.resource)]),
  ];
}

async function recordOrders(shop: Recorder, app: RestApp): Promise<void> {
  const { payment_source: source, ...rest } = orderBody();
  const bodies = [
    { ...rest, application_context: source.paypal.experience_context },
    '{',
    orderBody({ intent: undefined }),
    orderBody({ intent: 'LATER' }),
    orderBody({ intent: 'AUTHORIZE' }),
    orderBody({ purchase_units: undefined }),
    orderBody({ purchase_units: [] }),
    orderBody({ purchase_units: [{}, {}] }),
    orderBody({ payment_source: { card: {} } }),
    orderBody({}, { payee: {} }),
    orderBody({}, { custom_id: 'x'.repeat(128) }),
    orderBody(
      {},
      { items: [{ name: 'Basic', quantity: '1', unit_amount: { currency_code: 'USD', value: '49' } }] },
    ),
    ...['0', 'ten', '1.001', '10000000'].map((value) =>
      orderBody({}, { amount: { currency_code: 'USD', value } }),
    ),
    orderBody({}, { amount: { currency_code: 'XTS', value: '1' } }),
    orderBody({}, { amount: { value: '1' } }),
    orderBody({}, { amount: { currency_code: 'JPY', value: '1200' } }),
    orderBody(
      {},
      {
        amount: {
          currency_code: 'USD',
          value: '49.00',
          breakdown: { item_total: { currency_code: 'USD', value: '48.00' } },
        },
      },
    ),
    orderBody(
      {},
      {
        amount: {
          currency_code: 'USD',
          value: '49.00',
          breakdown: { item_total: { currency_code: 'EUR', value: '49.00' } },
        },
      },
    ),
  ];
  for (const body of bodies) await shop.post('/v2/checkout/orders', { body });
  await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: undefined });
  await shop.order({}, { description: undefined, custom_id: undefined, invoice_id: undefined });
  const id = await shop.order({}, {}, { requestId: 'same', prefer: true });
  await shop.order({}, {}, { requestId: 'same', prefer: true });
  await shop.get(`/v2/checkout/orders/${id}`);
  await shop.post(`/v2/checkout/orders/${id}/capture`);
  await shop.get('/v2/checkout/orders/5O190127TN364715T');
  await shop.post('/v2/checkout/orders/5O190127TN364715T/capture');
  for (const authorization of ['', 'Bearer unknown'])
    await shop.call('GET', `/v2/checkout/orders/${id}`, { headers: { authorization } });
  const { email } = app;
  await shop.paypal.setUpMerchant({ email, blocksDuplicateInvoices: true });
  await shop.capture();
  await shop.capture();
  await shop.paypal.setUpMerchant({ email, blocksDuplicateInvoices: false });
}

async function recordPayments(shop: Recorder): Promise<void> {
  const { paypal } = shop;
  for (const method of ['card', 'declined', 'refused'] as const) await shop.capture(method);
  const { order, id } = await shop.capture('balance', { requestId: 'capture', prefer: true });
  await shop.post(`/v2/checkout/orders/${order}/capture`, { requestId: 'capture' });
  await shop.post(`/v2/checkout/orders/${order}/capture`);

  const refund = (captureId: string, body?: object, options: CallOptions = {}) =>
    shop.post(`/v2/payments/captures/${captureId}/refund`, { ...(body && { body }), ...options });
  const amountInDollars = (value: string) => ({ amount: { currency_code: 'USD', value } });
  const partialRefund = {
    ...amountInDollars('10.00'),
    note_to_payer: 'Sorry',
    invoice_id: '1042-R',
    custom_id: 'attempt-1',
  };
  const { body: created } = await refund(id, partialRefund, { prefer: true, requestId: 'refund' });
  await refund(id, partialRefund, { requestId: 'refund' });
  await shop.get(`/v2/payments/refunds/${created.id}`);
  for (const body of [
    amountInDollars('40.00'),
    amountInDollars('0'),
    amountInDollars('1.001'),
    { amount: {} },
    { note_to_payer: '' },
  ])
    await refund(id, body);
  await refund(id, { amount: { currency_code: 'EUR', value: '1.00' } });
  await shop.get(`/v2/checkout/orders/${order}`);
  await refund(id);
  await refund(id);
  await shop.get(`/v2/payments/captures/${id}`);
  await refund('2GG279541U471931P');
  await shop.get('/v2/payments/captures/2GG279541U471931P');
  await shop.get('/v2/payments/refunds/2GG279541U471931P');

  for (const [method, end] of [
    ['echeck', 'Completed'],
    ['echeck', 'Failed'],
    ['review', 'Denied'],
  ] as const) {
    const pending = await shop.capture(method);
    await refund(pending.id);
    await paypal.settle(pending.id, end);
    await shop.get(`/v2/payments/captures/${pending.id}`);
  }
  for (const end of ['won', 'lost'] as const) {
    const disputed = await shop.capture();
    const { entries } = await paypal.dispute(disputed.id, 'opened');
    await refund(disputed.id);
    await shop.get(`/v2/payments/captures/${disputed.id}`);
    await paypal.dispute(disputed.id, end);
    await shop.get(`/v2/payments/refunds/${entries.at(-1)!.transactionId}`);
    await shop.get(`/v2/payments/captures/${disputed.id}`);
  }
}

async function recordFaults(shop: Recorder): Promise<void> {
  const modes: ApiFault[] = ['error', 'rate limited', 'error after success'];
  for (const mode of modes) {
    await shop.paypal.misbehaveApi({ operation: 'orders.create', mode, times: 1 });
    await shop.order();
  }
}

const dollars = (value: string) => ({ currency_code: 'USD', value });

async function recordBilling(shop: Recorder): Promise<void> {
  const products = '/v1/catalogs/products';
  const plans = '/v1/billing/plans';
  const productBody = { name: 'SEO', type: 'SERVICE', description: 'Work', category: 'SOFTWARE' };
  const { body: product } = await shop.post(products, { body: productBody, requestId: 'product' });
  await shop.post(products, { body: productBody, requestId: 'product' });
  const bodyWithId = { ...productBody, id: 'SEO-ITSELF', home_url: 'http://localhost:3000/' };
  for (const body of [
    bodyWithId,
    bodyWithId,
    {},
    { ...productBody, name: 'x'.repeat(128) },
    { ...productBody, type: 'OTHER' },
  ])
    await shop.post(products, { body, prefer: true });
  await shop.get(`${products}?page_size=1&page=2&total_required=true`);
  await shop.get(products);
  await shop.get(`${products}/${product.id}`);
  await shop.get(`${products}/PROD-9`);

  const monthlyBody = planBody(product.id, { description: 'Monthly' });
  const { body: plan } = await shop.post(plans, { body: monthlyBody, requestId: 'plan' });
  await shop.post(plans, { body: monthlyBody, requestId: 'plan', prefer: true });
  for (const body of [
    {},
    planBody('PROD-9'),
    planBody(product.id, { name: '' }),
    planBody(product.id, { status: 'INACTIVE' }),
    planBody(product.id, {}, { payment_failure_threshold: -1 }),
    planBody(product.id, {}, { payment_failure_threshold: 1_000 }),
  ])
    await shop.post(plans, { body, prefer: true });
  await shop.post(`${plans}/${plan.id}/activate`);
  await shop.post(`${plans}/${plan.id}/deactivate`);
  await shop.post(`${plans}/${plan.id}/deactivate`);
  await recordFailingCalls(shop, plan.id);
  await shop.post(`${plans}/${plan.id}/activate`);
  await shop.get(`${plans}/${plan.id}`);
  await shop.get(`${plans}/P-9`);
  await shop.get(`${plans}?total_required=true`);
  await shop.call('GET', plans, { prefer: true });

  const [cycle] = monthlyBody.billing_cycles;
  const endingBody = planBody(product.id, { billing_cycles: [{ ...cycle, total_cycles: 2 }] });
  const { body: endingPlan } = await shop.post(plans, { body: endingBody });
  const strictBody = planBody(product.id, {}, { payment_failure_threshold: 1 });
  const { body: strictPlan } = await shop.post(plans, { body: strictBody });
  const { body: otherProductsPlan } = await shop.post(plans, { body: planBody('SEO-ITSELF') });
  await recordCharges(shop, plan.id, endingPlan.id);
  await recordChanges(shop, plan.id, strictPlan.id, otherProductsPlan.id);
}

const subscriptions = '/v1/billing/subscriptions';

/** Calls about subscriptions, with an invalid body, an inactive or unknown plan, or an unknown subscription. */
async function recordFailingCalls(shop: Recorder, inactivePlanId: string): Promise<void> {
  for (const body of [
    {},
    subscriptionBody(inactivePlanId),
    subscriptionBody('P-9'),
    subscriptionBody(inactivePlanId, { custom_id: 'x'.repeat(128) }),
    subscriptionBody(inactivePlanId, { quantity: '2' }),
  ])
    await shop.post(subscriptions, { body });
  for (const path of ['', '?fields=plan', '/transactions']) await shop.get(`${subscriptions}/I-9${path}`);
  for (const action of ['suspend', 'cancel', 'activate', 'capture', 'revise'])
    await shop.post(`${subscriptions}/I-9/${action}`, {
      body: { reason: 'x', note: 'x', capture_type: 'OUTSTANDING_BALANCE', amount: dollars('1.00') },
    });
}

async function subscribe(shop: Recorder, planId: string, fund: FundingSource = 'ok'): Promise<string> {
  const { body } = await shop.post(subscriptions, { body: subscriptionBody(planId), prefer: true });
  await shop.get(`${subscriptions}/${body.id}`);
  await shop.paypal.approveSubscription(body.id, { with: fund });
  await shop.get(`${subscriptions}/${body.id}?fields=last_failed_payment,plan`);
  return body.id;
}

async function recordCharges(shop: Recorder, planId: string, endingPlanId: string): Promise<void> {
  const { paypal } = shop;
  await subscribe(shop, endingPlanId);
  const id = await subscribe(shop, planId, 'echeck');
  const [pending] = (await paypal.subscriptions({ subscriptionId: id }))[0]!.charges;
  await paypal.failEcheck(pending!.transactionId);
  await shop.get(`${subscriptions}/${id}?fields=last_failed_payment`);
  const capture = (overrides: object = {}) =>
    shop.post(`${subscriptions}/${id}/capture`, {
      body: { note: 'Please', capture_type: 'OUTSTANDING_BALANCE', amount: dollars('9.00'), ...overrides },
    });
  await paypal.setFunding(id, 'declined');
  await capture();
  await paypal.setFunding(id, 'ok');
  for (const overrides of [
    {},
    { amount: dollars('50.00') },
    { amount: { currency_code: 'EUR', value: '9.00' } },
  ])
    await capture(overrides);
  await capture({ note: 'x'.repeat(129) });
  await capture({ note: undefined });
  await capture({ amount: dollars('40.00') });
  await capture();
  await paypal.advanceClock(70 * 24 * 3_600_000);
  shop.signInAgain();
  const charges = (await paypal.subscriptions({ subscriptionId: id }))[0]!.charges;
  const paid = charges.at(-1)!.transactionId;
  await shop.post(`/v2/payments/captures/${paid}/refund`, { body: { amount: dollars('9.00') } });
  await paypal.dispute(paid, 'opened');
  await shop.get(`/v2/payments/captures/${paid}`);
  const range = 'start_time=2020-01-01T00:00:00Z&end_time=2999-01-01T00:00:00Z';
  await shop.get(`${subscriptions}/${id}/transactions?${range}`);
  await shop.get(`${subscriptions}/${id}/transactions`);
  await shop.get(`${subscriptions}/${id}/transactions?start_time=now&end_time=then`);
}

async function recordChanges(
  shop: Recorder,
  planId: string,
  strictPlanId: string,
  otherProductsPlanId: string,
): Promise<void> {
  const id = await subscribe(shop, planId);
  const body = { reason: 'Wanted' };
  for (const revision of [
    { plan_id: planId, application_context: subscriptionBody(planId).application_context },
    { plan_id: otherProductsPlanId },
    {},
  ])
    await shop.post(`${subscriptions}/${id}/revise`, { body: revision });
  await shop.paypal.approveRevision(id);
  for (const action of ['activate', 'suspend', 'suspend', 'activate', 'cancel', 'cancel', 'capture'])
    await shop.post(`${subscriptions}/${id}/${action}`, {
      body: { ...body, note: 'x', capture_type: 'OUTSTANDING_BALANCE', amount: dollars('1.00') },
    });
  for (const action of ['suspend', 'cancel', 'activate'])
    await shop.post(`${subscriptions}/${id}/${action}`, { body: { reason: 'x'.repeat(129) } });
  await shop.get(`${subscriptions}/${id}`);
  const failed = await subscribe(shop, strictPlanId, 'declined');
  await shop.post(`${subscriptions}/${failed}/activate`, { body });
}

async function recordWebhooks(shop: Recorder, app: RestApp, listener: Listener): Promise<void> {
  const path = '/v1/notifications/webhooks';
  const body = { url: `${listener.url}/other`, event_types: [{ name: 'PAYMENT.CAPTURE.DENIED' }] };
  const created = await shop.post(path, { body });
  await shop.post(path, { body });
  await shop.post(path, { body: {} });
  await shop.get(path);
  await shop.get(`${path}/${app.webhookId}`);
  await shop.get(`${path}/${app.webhookId}/event-types`);
  await shop.call('PATCH', `${path}/${created.body.id}`, {
    body: [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }],
  });
  await shop.call('PATCH', `${path}/${created.body.id}`, { body: [] });
  await shop.call('DELETE', `${path}/${created.body.id}`);
  await shop.get(`${path}/0EH40505U7160970P`);
  await shop.get('/v1/notifications/webhooks-event-types');
  const { body: list } = await shop.get('/v1/notifications/webhooks-events?page_size=300');
  await shop.get(`/v1/notifications/webhooks-events/${list.events[0].id}`);
  await shop.get('/v1/notifications/webhooks-events/WH-1');
  await shop.post(`/v1/notifications/webhooks-events/${list.events[0].id}/resend`);
  await shop.post('/v1/notifications/verify-webhook-signature', { body: {} });
  await shop.post('/v1/notifications/simulate-event', {
    body: { webhook_id: app.webhookId, event_type: 'PAYMENT.CAPTURE.DENIED' },
  });
  await shop.post('/v1/notifications/simulate-event', { body: {} });
  await shop.paypal.waitUntilIdle();
}
