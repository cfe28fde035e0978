import type { PayPalSimulator } from '../../client.js';
import type { ApiFault, Approval, RestApp } from '../../model.js';
import { Listener } from '../../test/listener.js';
import { type CallOptions, orderBody, RestClient } from '../test/rest-client.js';

/** One answer, or (`named`) a part of a webhook. */
export interface Recorded {
  method: string;
  path: string;
  status: number;
  body: unknown;
  named?: string;
}

/** A shop that keeps what it was answered. */
class Recorder {
  readonly answers: Recorded[] = [];
  private requests = 0;
  private readonly client: RestClient;

  constructor(
    readonly paypal: PayPalSimulator,
    app: RestApp,
  ) {
    this.client = new RestClient(paypal.url, app);
  }

  async call(method: string, path: string, options: CallOptions = {}) {
    const answer = await this.client.call(method, path, { requestId: `r${++this.requests}`, ...options });
    this.answers.push({ method, path: path.split('?')[0]!, status: answer.status, body: answer.body });
    return answer;
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, options?: CallOptions) => this.call('POST', path, options);

  async order(over: object = {}, unit: object = {}, options: CallOptions = {}): Promise<string> {
    const { body } = await this.post('/v2/checkout/orders', { body: orderBody(over, unit), ...options });
    return body.id;
  }

  async capture(by: Approval = 'balance', options: CallOptions = {}): Promise<{ order: string; id: string }> {
    const order = await this.order();
    await this.paypal.approve(order, { with: by });
    await this.get(`/v2/checkout/orders/${order}`);
    const { body } = await this.post(`/v2/checkout/orders/${order}/capture`, options);
    await this.get(`/v2/checkout/orders/${order}`);
    const id = body.purchase_units?.[0].payments.captures[0].id;
    if (id) await this.get(`/v2/payments/captures/${id}`);
    return { order, id };
  }
}

/** Makes the simulator give every kind of answer, and returns them with the webhooks that it sent. */
export async function everyKindOfAnswer(paypal: PayPalSimulator): Promise<Recorded[]> {
  const listener = await Listener.open();
  const app = await paypal.app({ webhookUrl: listener.url });
  const shop = new Recorder(paypal, app);
  await ordersIn(shop, app);
  await paymentsIn(shop);
  await faultsIn(shop);
  await paypal.idle();
  await webhooksIn(shop, app, listener);
  await listener.close();
  const events = listener.heard.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
  return [...shop.answers, ...events.flatMap(partsOf)];
}

function partsOf(event: Record<string, unknown>): Recorded[] {
  const part = (named: string, body: unknown): Recorded => ({ method: '', path: '', status: 0, body, named });
  const isMock = event.summary === 'A mock event';
  return [
    part('webhook event', event),
    // PayPal publishes no schema for disputes.
    ...(event.resource_type === 'dispute' || isMock
      ? []
      : [part(`webhook resource: ${String(event.resource_type)}`, event.resource)]),
  ];
}

async function ordersIn(shop: Recorder, app: RestApp): Promise<void> {
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
  await shop.paypal.merchant({ email, blocksDuplicateInvoices: true });
  await shop.capture();
  await shop.capture();
  await shop.paypal.merchant({ email, blocksDuplicateInvoices: false });
}

async function paymentsIn(shop: Recorder): Promise<void> {
  const { paypal } = shop;
  for (const by of ['card', 'declined', 'refused'] as const) await shop.capture(by);
  const { order, id } = await shop.capture('balance', { requestId: 'capture', prefer: true });
  await shop.post(`/v2/checkout/orders/${order}/capture`, { requestId: 'capture' });
  await shop.post(`/v2/checkout/orders/${order}/capture`);

  const refund = (of: string, body?: object, options: CallOptions = {}) =>
    shop.post(`/v2/payments/captures/${of}/refund`, { ...(body && { body }), ...options });
  const dollars = (value: string) => ({ amount: { currency_code: 'USD', value } });
  const part = { ...dollars('10.00'), note_to_payer: 'Sorry', invoice_id: '1042-R', custom_id: 'attempt-1' };
  const { body: made } = await refund(id, part, { prefer: true, requestId: 'refund' });
  await refund(id, part, { requestId: 'refund' });
  await shop.get(`/v2/payments/refunds/${made.id}`);
  for (const body of [
    dollars('40.00'),
    dollars('0'),
    dollars('1.001'),
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

  for (const [by, end] of [
    ['echeck', 'Completed'],
    ['echeck', 'Failed'],
    ['review', 'Denied'],
  ] as const) {
    const pending = await shop.capture(by);
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

async function faultsIn(shop: Recorder): Promise<void> {
  const modes: ApiFault[] = ['error', 'rate limited', 'error after success'];
  for (const mode of modes) {
    await shop.paypal.misbehaveApi({ operation: 'orders.create', mode, times: 1 });
    await shop.order();
  }
}

async function webhooksIn(shop: Recorder, app: RestApp, listener: Listener): Promise<void> {
  const path = '/v1/notifications/webhooks';
  const body = { url: `${listener.url}/other`, event_types: [{ name: 'PAYMENT.CAPTURE.DENIED' }] };
  const made = await shop.post(path, { body });
  await shop.post(path, { body });
  await shop.post(path, { body: {} });
  await shop.get(path);
  await shop.get(`${path}/${app.webhookId}`);
  await shop.get(`${path}/${app.webhookId}/event-types`);
  await shop.call('PATCH', `${path}/${made.body.id}`, {
    body: [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }],
  });
  await shop.call('PATCH', `${path}/${made.body.id}`, { body: [] });
  await shop.call('DELETE', `${path}/${made.body.id}`);
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
  await shop.paypal.idle();
}
