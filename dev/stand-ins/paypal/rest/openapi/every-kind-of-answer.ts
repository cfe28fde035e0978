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

  /** Needed after the simulator's clock was advanced, because tokens expire after nine hours. */
  signInAgain(): void {
    this.client = new RestClient(this.paypal.url, this.app);
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, options?: CallOptions) => this.call('POST', path, options);

  async createOrder(overrides: object = {}, unit: object = {}, options: CallOptions = {}): Promise<string> {
    const { body } = await this.post('/v2/checkout/orders', { body: orderBody(overrides, unit), ...options });
    return body.id;
  }

  async captureNewOrder(
    method: OrderPaymentMethod = 'balance',
    options: CallOptions = {},
  ): Promise<{ orderId: string; captureId: string }> {
    const orderId = await this.createOrder();
    await this.paypal.approveOrder(orderId, { with: method });
    await this.get(`/v2/checkout/orders/${orderId}`);
    const { body } = await this.post(`/v2/checkout/orders/${orderId}/capture`, options);
    await this.get(`/v2/checkout/orders/${orderId}`);
    const captureId = body.purchase_units?.[0].payments.captures[0].id;
    if (captureId) await this.get(`/v2/payments/captures/${captureId}`);
    return { orderId, captureId };
  }
}

/** Leaves out the status 403, and the operations for tokens and disputes. Returns the answers, and the webhooks that the simulator sent. */
export async function recordEveryKindOfAnswer(paypal: PayPalSimulator): Promise<Recording[]> {
  const listener = await Listener.open();
  const app = await paypal.setUpApp({ webhookUrl: listener.url });
  const recorder = new Recorder(paypal, app);
  await recordOrders(recorder, app);
  await recordPayments(recorder);
  await recordMisbehaviours(recorder);
  await recordBilling(recorder);
  await paypal.waitUntilIdle();
  await recordWebhooks(recorder, app, listener);
  await listener.close();
  const events = listener.heard.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  return [...recorder.answers, ...events.flatMap(partsOf)];
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
    // Left out: the files that `descriptions.ts` reads have no schema of disputes or of sales, and a mock event's resource is incomplete.
    ...(event.resource_type === 'dispute' || String(event.event_type).startsWith('PAYMENT.SALE.') || isMock
      ? []
      : [recordingOf(`webhook resource: ${String(event.resource_type)}`, event.resource)]),
  ];
}

async function recordOrders(recorder: Recorder, app: RestApp): Promise<void> {
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
  for (const body of bodies) await recorder.post('/v2/checkout/orders', { body });
  await recorder.post('/v2/checkout/orders', { body: orderBody(), requestId: undefined });
  await recorder.createOrder({}, { description: undefined, custom_id: undefined, invoice_id: undefined });
  const id = await recorder.createOrder({}, {}, { requestId: 'same', prefer: true });
  await recorder.createOrder({}, {}, { requestId: 'same', prefer: true });
  await recorder.get(`/v2/checkout/orders/${id}`);
  await recorder.post(`/v2/checkout/orders/${id}/capture`);
  await recorder.get('/v2/checkout/orders/5O190127TN364715T');
  await recorder.post('/v2/checkout/orders/5O190127TN364715T/capture');
  for (const authorization of ['', 'Bearer unknown'])
    await recorder.call('GET', `/v2/checkout/orders/${id}`, { headers: { authorization } });
  const { email } = app;
  await recorder.paypal.setUpMerchant({ email, blocksDuplicateInvoices: true });
  await recorder.captureNewOrder();
  await recorder.captureNewOrder();
  await recorder.paypal.setUpMerchant({ email, blocksDuplicateInvoices: false });
}

async function recordPayments(recorder: Recorder): Promise<void> {
  const { paypal } = recorder;
  for (const method of ['card', 'declined', 'refused'] as const) await recorder.captureNewOrder(method);
  const { orderId, captureId } = await recorder.captureNewOrder('balance', {
    requestId: 'capture',
    prefer: true,
  });
  await recorder.post(`/v2/checkout/orders/${orderId}/capture`, { requestId: 'capture' });
  await recorder.post(`/v2/checkout/orders/${orderId}/capture`);

  const refund = (id: string, body?: object, options: CallOptions = {}) =>
    recorder.post(`/v2/payments/captures/${id}/refund`, { ...(body && { body }), ...options });
  const amountInDollars = (value: string) => ({ amount: { currency_code: 'USD', value } });
  const partialRefund = {
    ...amountInDollars('10.00'),
    note_to_payer: 'Sorry',
    invoice_id: '1042-R',
    custom_id: 'attempt-1',
  };
  const { body: created } = await refund(captureId, partialRefund, { prefer: true, requestId: 'refund' });
  await refund(captureId, partialRefund, { requestId: 'refund' });
  await recorder.get(`/v2/payments/refunds/${created.id}`);
  for (const body of [
    amountInDollars('40.00'),
    amountInDollars('0'),
    amountInDollars('1.001'),
    { amount: {} },
    { note_to_payer: '' },
  ])
    await refund(captureId, body);
  await refund(captureId, { amount: { currency_code: 'EUR', value: '1.00' } });
  await recorder.get(`/v2/checkout/orders/${orderId}`);
  await refund(captureId);
  await refund(captureId);
  await recorder.get(`/v2/payments/captures/${captureId}`);
  await refund('2GG279541U471931P');
  await recorder.get('/v2/payments/captures/2GG279541U471931P');
  await recorder.get('/v2/payments/refunds/2GG279541U471931P');

  for (const [method, end] of [
    ['echeck', 'Completed'],
    ['echeck', 'Failed'],
    ['review', 'Denied'],
  ] as const) {
    const pending = await recorder.captureNewOrder(method);
    await refund(pending.captureId);
    await paypal.settle(pending.captureId, end);
    await recorder.get(`/v2/payments/captures/${pending.captureId}`);
  }
  for (const end of ['won', 'lost'] as const) {
    const disputed = await recorder.captureNewOrder();
    const { entries } = await paypal.dispute(disputed.captureId, 'opened');
    await refund(disputed.captureId);
    await recorder.get(`/v2/payments/captures/${disputed.captureId}`);
    await paypal.dispute(disputed.captureId, end);
    await recorder.get(`/v2/payments/refunds/${entries.at(-1)!.transactionId}`);
    await recorder.get(`/v2/payments/captures/${disputed.captureId}`);
  }
}

async function recordMisbehaviours(recorder: Recorder): Promise<void> {
  const modes: ApiFault[] = ['error', 'rate limited', 'error after success'];
  for (const mode of modes) {
    await recorder.paypal.misbehaveApi({ operation: 'orders.create', mode, times: 1 });
    await recorder.createOrder();
  }
}

const dollars = (value: string) => ({ currency_code: 'USD', value });

async function recordBilling(recorder: Recorder): Promise<void> {
  const products = '/v1/catalogs/products';
  const plans = '/v1/billing/plans';
  const productBody = { name: 'SEO', type: 'SERVICE', description: 'Work', category: 'SOFTWARE' };
  const { body: product } = await recorder.post(products, { body: productBody, requestId: 'product' });
  await recorder.post(products, { body: productBody, requestId: 'product' });
  const bodyWithId = { ...productBody, id: 'SEO-ITSELF', home_url: 'http://localhost:3000/' };
  for (const body of [
    bodyWithId,
    bodyWithId,
    {},
    { ...productBody, name: 'x'.repeat(128) },
    { ...productBody, type: 'OTHER' },
  ])
    await recorder.post(products, { body, prefer: true });
  await recorder.get(`${products}?page_size=1&page=2&total_required=true`);
  await recorder.get(products);
  await recorder.get(`${products}/${product.id}`);
  await recorder.get(`${products}/PROD-9`);

  const monthlyBody = planBody(product.id, { description: 'Monthly' });
  const { body: plan } = await recorder.post(plans, { body: monthlyBody, requestId: 'plan' });
  await recorder.post(plans, { body: monthlyBody, requestId: 'plan', prefer: true });
  for (const body of [
    {},
    planBody('PROD-9'),
    planBody(product.id, { name: '' }),
    planBody(product.id, { status: 'INACTIVE' }),
    planBody(product.id, {}, { payment_failure_threshold: -1 }),
    planBody(product.id, {}, { payment_failure_threshold: 1_000 }),
  ])
    await recorder.post(plans, { body, prefer: true });
  await recorder.post(`${plans}/${plan.id}/activate`);
  await recorder.post(`${plans}/${plan.id}/deactivate`);
  await recorder.post(`${plans}/${plan.id}/deactivate`);
  await recordFailingCalls(recorder, plan.id);
  await recorder.post(`${plans}/${plan.id}/activate`);
  await recorder.get(`${plans}/${plan.id}`);
  await recorder.get(`${plans}/P-9`);
  await recorder.get(`${plans}?total_required=true`);
  await recorder.call('GET', plans, { prefer: true });

  const [cycle] = monthlyBody.billing_cycles;
  const endingBody = planBody(product.id, { billing_cycles: [{ ...cycle, total_cycles: 2 }] });
  const { body: endingPlan } = await recorder.post(plans, { body: endingBody });
  const oneFailureBody = planBody(product.id, {}, { payment_failure_threshold: 1 });
  const { body: oneFailurePlan } = await recorder.post(plans, { body: oneFailureBody });
  const { body: otherProductsPlan } = await recorder.post(plans, { body: planBody('SEO-ITSELF') });
  await recordCharges(recorder, plan.id, endingPlan.id);
  await recordChanges(recorder, plan.id, oneFailurePlan.id, otherProductsPlan.id);
}

const subscriptions = '/v1/billing/subscriptions';

/** Records calls about subscriptions that fail: with an invalid body, an inactive or unknown plan, or an unknown subscription. */
async function recordFailingCalls(recorder: Recorder, inactivePlanId: string): Promise<void> {
  for (const body of [
    {},
    subscriptionBody(inactivePlanId),
    subscriptionBody('P-9'),
    subscriptionBody(inactivePlanId, { custom_id: 'x'.repeat(128) }),
    subscriptionBody(inactivePlanId, { quantity: '2' }),
  ])
    await recorder.post(subscriptions, { body });
  for (const path of ['', '?fields=plan', '/transactions']) await recorder.get(`${subscriptions}/I-9${path}`);
  for (const action of ['suspend', 'cancel', 'activate', 'capture', 'revise'])
    await recorder.post(`${subscriptions}/I-9/${action}`, {
      body: { reason: 'x', note: 'x', capture_type: 'OUTSTANDING_BALANCE', amount: dollars('1.00') },
    });
}

async function subscribe(recorder: Recorder, planId: string, fund: FundingSource = 'ok'): Promise<string> {
  const { body } = await recorder.post(subscriptions, { body: subscriptionBody(planId), prefer: true });
  await recorder.get(`${subscriptions}/${body.id}`);
  await recorder.paypal.approveSubscription(body.id, { with: fund });
  await recorder.get(`${subscriptions}/${body.id}?fields=last_failed_payment,plan`);
  return body.id;
}

async function recordCharges(recorder: Recorder, planId: string, endingPlanId: string): Promise<void> {
  const { paypal } = recorder;
  await subscribe(recorder, endingPlanId);
  const id = await subscribe(recorder, planId, 'echeck');
  const [pending] = (await paypal.subscriptions({ subscriptionId: id }))[0]!.charges;
  await paypal.failEcheck(pending!.transactionId);
  await recorder.get(`${subscriptions}/${id}?fields=last_failed_payment`);
  const capture = (overrides: object = {}) =>
    recorder.post(`${subscriptions}/${id}/capture`, {
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
  recorder.signInAgain();
  const charges = (await paypal.subscriptions({ subscriptionId: id }))[0]!.charges;
  const chargeId = charges.at(-1)!.transactionId;
  await recorder.post(`/v2/payments/captures/${chargeId}/refund`, { body: { amount: dollars('9.00') } });
  await paypal.dispute(chargeId, 'opened');
  await recorder.get(`/v2/payments/captures/${chargeId}`);
  const range = 'start_time=2020-01-01T00:00:00Z&end_time=2999-01-01T00:00:00Z';
  await recorder.get(`${subscriptions}/${id}/transactions?${range}`);
  await recorder.get(`${subscriptions}/${id}/transactions`);
  await recorder.get(`${subscriptions}/${id}/transactions?start_time=now&end_time=then`);
}

async function recordChanges(
  recorder: Recorder,
  planId: string,
  oneFailurePlanId: string,
  otherProductsPlanId: string,
): Promise<void> {
  const id = await subscribe(recorder, planId);
  const body = { reason: 'Wanted' };
  for (const revision of [
    { plan_id: planId, application_context: subscriptionBody(planId).application_context },
    { plan_id: otherProductsPlanId },
    {},
  ])
    await recorder.post(`${subscriptions}/${id}/revise`, { body: revision });
  await recorder.paypal.approveRevision(id);
  for (const action of ['activate', 'suspend', 'suspend', 'activate', 'cancel', 'cancel', 'capture'])
    await recorder.post(`${subscriptions}/${id}/${action}`, {
      body: { ...body, note: 'x', capture_type: 'OUTSTANDING_BALANCE', amount: dollars('1.00') },
    });
  for (const action of ['suspend', 'cancel', 'activate'])
    await recorder.post(`${subscriptions}/${id}/${action}`, { body: { reason: 'x'.repeat(129) } });
  await recorder.get(`${subscriptions}/${id}`);
  const suspendedId = await subscribe(recorder, oneFailurePlanId, 'declined');
  await recorder.post(`${subscriptions}/${suspendedId}/activate`, { body });
}

async function recordWebhooks(recorder: Recorder, app: RestApp, listener: Listener): Promise<void> {
  const path = '/v1/notifications/webhooks';
  const body = { url: `${listener.url}/other`, event_types: [{ name: 'PAYMENT.CAPTURE.DENIED' }] };
  const created = await recorder.post(path, { body });
  await recorder.post(path, { body });
  await recorder.post(path, { body: {} });
  await recorder.get(path);
  await recorder.get(`${path}/${app.webhookId}`);
  await recorder.get(`${path}/${app.webhookId}/event-types`);
  await recorder.call('PATCH', `${path}/${created.body.id}`, {
    body: [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }],
  });
  await recorder.call('PATCH', `${path}/${created.body.id}`, { body: [] });
  await recorder.call('DELETE', `${path}/${created.body.id}`);
  await recorder.get(`${path}/0EH40505U7160970P`);
  await recorder.get('/v1/notifications/webhooks-event-types');
  const { body: list } = await recorder.get('/v1/notifications/webhooks-events?page_size=300');
  await recorder.get(`/v1/notifications/webhooks-events/${list.events[0].id}`);
  await recorder.get('/v1/notifications/webhooks-events/WH-1');
  await recorder.post(`/v1/notifications/webhooks-events/${list.events[0].id}/resend`);
  await recorder.post('/v1/notifications/verify-webhook-signature', { body: {} });
  await recorder.post('/v1/notifications/simulate-event', {
    body: { webhook_id: app.webhookId, event_type: 'PAYMENT.CAPTURE.DENIED' },
  });
  await recorder.post('/v1/notifications/simulate-event', { body: {} });
  await recorder.paypal.waitUntilIdle();
}
