import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { PayPalSimulator } from '../client.js';
import type { ApiFault, RestApp } from '../model.js';
import { Listener } from '../test/listener.js';
import { orderBody, RestClient } from './test/rest-client.js';

describe('the REST API, set to misbehave', () => {
  let paypal: PayPalSimulator;
  let shop: RestClient;
  let app: RestApp;
  let orderId: string;
  beforeEach(async () => {
    paypal = await PayPalSimulator.start({ clock: 'frozen' });
    app = await paypal.setUpApp();
    shop = new RestClient(paypal.url, app);
    orderId = (await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'create' })).body.id;
    await paypal.approveOrder(orderId);
  });
  afterEach(() => paypal.stop());

  const capture = () => shop.post(`/v2/checkout/orders/${orderId}/capture`, { requestId: 'capture' });
  const misbehaveOnCapture = (mode: ApiFault, delayMs?: number) =>
    paypal.misbehaveApi({
      operation: 'orders.capture',
      mode,
      match: { invoice: '1042' },
      times: 1,
      ...(delayMs !== undefined && { delayMs }),
    });

  test.each<[ApiFault, number, number, string]>([
    ['error', 503, 0, 'SERVICE_UNAVAILABLE'],
    ['rate limited', 429, 0, 'RATE_LIMIT_REACHED'],
    ['forbidden', 403, 0, 'NOT_AUTHORIZED'],
    ['error after success', 500, 1, 'INTERNAL_SERVER_ERROR'],
  ])(
    '%s: the first call returns %i and makes %i payments, and the second succeeds',
    async (mode, status, made, name) => {
      await misbehaveOnCapture(mode);
      const answer = await capture();
      expect([answer.status, answer.body.name]).toEqual([status, name]);
      expect(answer.headers.has('retry-after')).toBe(status === 429);
      expect((await paypal.ledger()).total).toBe(made);
      expect((await capture()).body.status).toBe('COMPLETED');
      expect((await paypal.ledger()).total).toBe(1);
    },
  );

  test('empty after success: the first call returns 201 without a body, and a repeated call returns the whole response', async () => {
    await misbehaveOnCapture('empty after success');
    expect(await capture()).toMatchObject({ status: 201, body: '' });
    expect((await capture()).body.status).toBe('COMPLETED');
    expect((await paypal.ledger()).total).toBe(1);
  });

  test('html: the call returns a page, although the payment is made', async () => {
    await misbehaveOnCapture('html');
    const { status, body, headers } = await capture();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(body).toContain('<html>');
    expect((await paypal.ledger()).total).toBe(1);
  });

  test('reset: the connection is cut, although the payment is made', async () => {
    await misbehaveOnCapture('reset');
    await expect(capture()).rejects.toThrow('fetch failed');
    expect((await paypal.ledger()).total).toBe(1);
  });

  test('timeout: the call is not answered, although the payment is made', async () => {
    await misbehaveOnCapture('timeout');
    let answered = false;
    void capture().then(
      () => (answered = true),
      () => (answered = true),
    );
    await eventually(async () => expect((await paypal.ledger()).total).toBe(1));
    // Long enough that the call would have been answered without the fault.
    await wait(300);
    expect(answered).toBe(false);
  });

  describe('if PayPal refuses the call', () => {
    beforeEach(async () => {
      const { body } = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'unapproved' });
      orderId = body.id;
    });

    test.each(['error after success', 'empty after success'] as const)(
      '%s: the shop gets the refusal',
      async (mode) => {
        await misbehaveOnCapture(mode);
        expect(await capture()).toMatchObject({
          status: 422,
          body: { details: [{ issue: 'ORDER_NOT_APPROVED' }] },
        });
      },
    );

    test('html: the call returns a page nevertheless', async () => {
      await misbehaveOnCapture('html');
      const { status, headers } = await capture();
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
    });

    test('reset: the connection is cut nevertheless', async () => {
      await misbehaveOnCapture('reset');
      await expect(capture()).rejects.toThrow('fetch failed');
    });
  });

  test('slow: the webhook of a capture comes before the answer', async () => {
    const listener = await Listener.open();
    await paypal.setUpApp({ clientId: app.clientId, webhookUrl: listener.url });
    await misbehaveOnCapture('slow', 1_000);
    const events: string[] = [];
    await Promise.all([
      capture().then(() => events.push('answer')),
      eventually(() => expect(listener.heard.length).toBeGreaterThan(0)).then(() => events.push('webhook')),
    ]);
    expect(events).toEqual(['webhook', 'answer']);
    await listener.close();
  });

  test('misbehaves only for calls that match, and only until it is told to behave', async () => {
    await paypal.misbehaveApi({ operation: 'orders.get', mode: 'error', match: { orderId: 'ANOTHER' } });
    await paypal.misbehaveApi({ operation: 'captures.get', mode: 'error' });
    expect((await shop.get(`/v2/checkout/orders/${orderId}`)).status).toBe(200);
    await paypal.misbehaveApi({ operation: 'orders.get', mode: 'error', match: { orderId } });
    expect((await shop.get(`/v2/checkout/orders/${orderId}`)).status).toBe(503);
    await paypal.behave({ orderId });
    expect((await shop.get(`/v2/checkout/orders/${orderId}`)).status).toBe(200);
    await paypal.misbehaveApi({ operation: 'token', mode: 'error' });
    expect((await shop.signIn()).status).toBe(503);
  });
});
