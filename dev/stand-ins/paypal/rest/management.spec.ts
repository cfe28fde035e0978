import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PayPalSimulator } from '../client.js';
import type { RestApp, WebhookMessage } from '../model.js';
import { Listener } from '../test/listener.js';
import { orderBody, RestClient } from './test/rest-client.js';

const webhooks = '/v1/notifications/webhooks';

describe('the PayPal simulator', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  let app: RestApp;
  let shop: RestClient;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([PayPalSimulator.start({ clock: 'frozen' }), Listener.open()]);
    app = await paypal.setUpApp({ webhookUrl: listener.url });
    shop = new RestClient(paypal.url, app);
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  async function buy(): Promise<string> {
    const { body } = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'create' });
    await paypal.approveOrder(body.id);
    const captured = await shop.post(`/v2/checkout/orders/${body.id}/capture`, { requestId: 'capture' });
    await paypal.waitUntilIdle();
    return captured.body.purchase_units[0].payments.captures[0].id;
  }

  test('creates, lists, changes and deletes webhooks', async () => {
    const url = `${listener.url}/second`;
    const webhook = { url, event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] };
    const created = await shop.post(webhooks, { body: webhook });
    expect([created.status, created.body]).toMatchObject([201, webhook]);
    expect(await shop.post(webhooks, { body: webhook })).toMatchObject({
      status: 400,
      body: { name: 'WEBHOOK_URL_ALREADY_EXISTS' },
    });
    const { body: list } = await shop.get(webhooks);
    expect(list.webhooks.map(({ id }: { id: string }) => id)).toEqual([app.webhookId, created.body.id]);
    const patch = [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }];
    const changed = await shop.call('PATCH', `${webhooks}/${created.body.id}`, { body: patch });
    expect(changed).toMatchObject({ status: 200, body: { url, event_types: [{ name: '*' }] } });
    const { body: types } = await shop.get(`${webhooks}/${created.body.id}/event-types`);
    const { body: allTypes } = await shop.get('/v1/notifications/webhooks-event-types');
    expect(types).toEqual(allTypes);
    expect((await shop.call('DELETE', `${webhooks}/${created.body.id}`)).status).toBe(204);
    expect(await shop.get(`${webhooks}/${created.body.id}`)).toMatchObject({
      status: 404,
      body: { name: 'INVALID_RESOURCE_ID' },
    });
  });

  test('does not give a webhook the address of another one', async () => {
    const url = `${listener.url}/second`;
    const { body: second } = await shop.post(webhooks, { body: { url, event_types: [{ name: '*' }] } });
    const changeUrl = (value: string) =>
      shop.call('PATCH', `${webhooks}/${second.id}`, { body: [{ op: 'replace', path: '/url', value }] });
    expect(await changeUrl(listener.url)).toMatchObject({
      status: 400,
      body: { name: 'WEBHOOK_URL_ALREADY_EXISTS' },
    });
    expect((await shop.get(`${webhooks}/${second.id}`)).body.url).toBe(url);
    expect((await changeUrl(url)).status).toBe(200);
  });

  test.each([
    [{ url: 'nowhere', event_types: [{ name: '*' }] }],
    [{ url: 'http://localhost/x', event_types: [{ name: 'NO.SUCH.EVENT' }] }],
    [{ url: 'http://localhost/x', event_types: [] }],
    [{ url: 'http://localhost/x', event_types: [{}] }],
  ])('refuses a webhook that is not valid: %j', async (body) => {
    expect(await shop.post(webhooks, { body })).toMatchObject({
      status: 400,
      body: { name: 'VALIDATION_ERROR' },
    });
  });

  test("does not show another app's webhooks and events", async () => {
    await buy();
    const otherShop = new RestClient(paypal.url, await paypal.setUpApp());
    expect((await otherShop.get(`${webhooks}/${app.webhookId}`)).status).toBe(404);
    expect((await otherShop.get('/v1/notifications/webhooks-events')).body.events).toEqual([]);
  });

  test('lists events, and sends them again', async () => {
    const captureId = await buy();
    const { body } = await shop.get(`/v1/notifications/webhooks-events?transaction_id=${captureId}`);
    expect(body.events.map(({ event_type: type }: { event_type: string }) => type)).toEqual([
      'CHECKOUT.ORDER.COMPLETED',
      'PAYMENT.CAPTURE.COMPLETED',
    ]);
    const [, event] = body.events;
    expect((await shop.get(`/v1/notifications/webhooks-events/${event.id}`)).body).toEqual(event);
    const before = listener.heard.length;
    expect((await shop.post(`/v1/notifications/webhooks-events/${event.id}/resend`)).status).toBe(202);
    await paypal.waitUntilIdle();
    expect(JSON.parse(listener.heard[before]!.body.toString())).toEqual(event);
  });

  test.each([
    ['', '?page_size=1'],
    ['/:id', ''],
    ['/:id/resend', ''],
  ])('parses only the one event that webhooks-events%s%s asks for', async (path, query) => {
    await buy();
    const events = await paypal.webhooks();
    const bodies = listener.heard.map(({ body }) => body.toString());
    const parse = jest.spyOn(JSON, 'parse');
    const call = path.endsWith('resend') ? shop.post : shop.get;
    const { status } = await call(
      `/v1/notifications/webhooks-events${path.replace(':id', events[0]!.eventId)}${query}`,
    );
    expect(status).toBeLessThan(300);
    const parsed = bodies.filter((body) => parse.mock.calls.some(([text]) => text === body));
    parse.mockRestore();
    expect([bodies.length, parsed.length]).toEqual([3, 1]);
  });

  test.each(['start_time', 'end_time'])('refuses to list events with an invalid %s', async (field) => {
    expect(await shop.get(`/v1/notifications/webhooks-events?${field}=yesterday`)).toMatchObject({
      status: 400,
      body: { name: 'VALIDATION_ERROR', details: [{ field, location: 'query' }] },
    });
  });

  test('neither lists nor resends a webhook whose body, chosen through the control API, is not an event', async () => {
    const { url } = listener;
    await paypal.sendWebhook({ url, webhookId: app.webhookId!, body: 'no JSON' });
    await paypal.sendWebhook({ url, webhookId: app.webhookId!, body: 'null' });
    expect(await paypal.webhooks()).toHaveLength(2);
    expect(await shop.get('/v1/notifications/webhooks-events')).toMatchObject({
      status: 200,
      body: { events: [] },
    });
    const [{ eventId }] = (await paypal.webhooks()) as [WebhookMessage];
    expect((await shop.get(`/v1/notifications/webhooks-events/${eventId}`)).status).toBe(404);
    expect((await shop.post(`/v1/notifications/webhooks-events/${eventId}/resend`)).status).toBe(404);
  });

  test('verifies a transmission, and rejects it with another time, event, webhook id or certificate', async () => {
    await buy();
    const { headers, body } = listener.heard[0]!;
    const transmission = {
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id: app.webhookId,
      webhook_event: JSON.parse(body.toString()),
    };
    const verdict = async (change: object) =>
      (
        await shop.post('/v1/notifications/verify-webhook-signature', {
          body: { ...transmission, ...change },
        })
      ).body.verification_status;
    expect(await verdict({})).toBe('SUCCESS');
    expect(await verdict({ transmission_time: '2020-01-01T00:00:00Z' })).toBe('FAILURE');
    expect(await verdict({ webhook_event: { ...transmission.webhook_event, summary: '' } })).toBe('FAILURE');
    expect(await verdict({ webhook_id: 'ANOTHER' })).toBe('FAILURE');
    expect(await verdict({ cert_url: 'https://example.com/cert' })).toBe('FAILURE');
  });

  test('sends a mock event of one type, but not of all types (*)', async () => {
    const body = { webhook_id: app.webhookId, event_type: 'PAYMENT.CAPTURE.DENIED' };
    expect((await shop.post('/v1/notifications/simulate-event', { body })).status).toBe(202);
    await paypal.waitUntilIdle();
    expect(JSON.parse(listener.heard[0]!.body.toString())).toMatchObject({ event_type: body.event_type });
    const bodyForAll = { ...body, event_type: '*' };
    expect(await shop.post('/v1/notifications/simulate-event', { body: bodyForAll })).toMatchObject({
      status: 400,
      body: { name: 'VALIDATION_ERROR', details: [{ field: 'event_type' }] },
    });
  });

  test('copies an IPN only as an IPN, and a webhook only as a webhook', async () => {
    const { url } = listener;
    const [ipn, webhook] = [await paypal.sendIpn({ url }), await paypal.sendWebhook({ url })];
    const refusal = { status: 400, field: 'copyFromId' };
    await expect(paypal.sendWebhook({ url, copyFromId: ipn.id })).rejects.toMatchObject(refusal);
    await expect(paypal.sendIpn({ url, copyFromId: webhook.id })).rejects.toMatchObject(refusal);
    expect(await paypal.sendWebhook({ url, copyFromId: webhook.id })).toMatchObject({ state: 'delivered' });
  });

  test('sends forged webhooks through the control API, one or many', async () => {
    const forged = await paypal.sendWebhook({ url: listener.url, webhookId: app.webhookId, genuine: false });
    expect(forged).toMatchObject({ genuine: false, state: 'delivered', payment: null });
    const answers = await paypal.floodWebhooks({ url: listener.url, count: 50, concurrency: 5 });
    expect(answers).toEqual({ 200: 50 });
    const ids = listener.heard.map(({ body }) => JSON.parse(body.toString()).id);
    expect(new Set(ids).size).toBe(51);
    // The webhooks of a flood are not recorded.
    expect(await paypal.webhooks()).toHaveLength(1);
  });

  describe('a dispute', () => {
    test('is listed for its payment, is read with its outcome, and cancels only its own reversal', async () => {
      const captureId = await buy();
      await paypal.dispute(captureId, 'opened');
      const listDisputes = async () =>
        (await shop.get(`/v1/customer/disputes?disputed_transaction_id=${captureId}`)).body.items;
      const [opened] = await listDisputes();
      expect(opened).toMatchObject({
        status: 'WAITING_FOR_SELLER_RESPONSE',
        dispute_state: 'REQUIRED_ACTION',
      });
      const readDispute = async () => (await shop.get(`/v1/customer/disputes/${opened.dispute_id}`)).body;
      expect(await readDispute()).toMatchObject({
        dispute_amount: { value: '49.00' },
        disputed_transactions: [
          {
            seller_transaction_id: captureId,
            invoice_number: '1042',
            custom: 'attempt-1',
            seller: { merchant_id: app.merchantId },
          },
        ],
      });
      await paypal.dispute(captureId, 'won');
      expect(await readDispute()).toMatchObject({
        status: 'RESOLVED',
        dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' },
      });
      await paypal.dispute(captureId, 'opened');
      await paypal.dispute(captureId, 'lost');
      // Winning the first dispute cancelled its reversal for good, whatever the outcome of the second one.
      const [payment] = (await paypal.ledger({ transactionId: captureId })).payments;
      const reversals = payment!.entries.filter(({ status }) => status === 'Reversed');
      const statuses = reversals.map(
        async ({ transactionId: id }) => (await shop.get(`/v2/payments/refunds/${id}`)).body.status,
      );
      expect(await Promise.all(statuses)).toEqual(['CANCELLED', 'COMPLETED']);
      const disputes = await listDisputes();
      const outcomes = await Promise.all(
        disputes.map(async ({ dispute_id: id }: { dispute_id: string }) => {
          const { body } = await shop.get(`/v1/customer/disputes/${id}`);
          return body.dispute_outcome.outcome_code;
        }),
      );
      expect(outcomes.sort()).toEqual(['RESOLVED_BUYER_FAVOUR', 'RESOLVED_SELLER_FAVOUR']);
    });

    test('about a payment by form is announced by webhooks, too', async () => {
      const { payment } = await paypal.pay({ business: app.email, amount: '5.00', item_name: 'Basic' });
      await paypal.dispute(payment.transactionId, 'opened');
      await paypal.dispute(payment.transactionId, 'lost');
      await paypal.waitUntilIdle();
      const events = listener.heard.map(({ body }) => JSON.parse(body.toString()));
      expect(events.map(({ event_type: type }) => type).sort()).toEqual([
        'CUSTOMER.DISPUTE.CREATED',
        'CUSTOMER.DISPUTE.RESOLVED',
      ]);
      expect(events.map(({ resource }) => resource.disputed_transactions[0].seller_transaction_id)).toEqual([
        payment.transactionId,
        payment.transactionId,
      ]);
    });

    test("about another merchant's payment is not shown", async () => {
      const captureId = await buy();
      await paypal.dispute(captureId, 'opened');
      const [{ dispute_id: id }] = (await shop.get('/v1/customer/disputes')).body.items;
      const otherShop = new RestClient(paypal.url, await paypal.setUpApp());
      expect((await otherShop.get(`/v1/customer/disputes/${id}`)).status).toBe(404);
      expect((await otherShop.get('/v1/customer/disputes')).body.items).toEqual([]);
    });
  });
});
