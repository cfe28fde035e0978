import { createPublicKey, createVerify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from '../client.js';
import type { RestApp } from '../model.js';
import { Listener, type ReceivedNotification } from '../test/listener.js';
import { orderBody, RestClient } from './test/rest-client.js';

const hour = 3_600_000;

describe('webhooks', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  let app: RestApp;
  let shop: RestClient;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([
      PayPalSimulator.start({ clock: 'frozen', listenerTimeoutMs: 2_000 }),
      Listener.open(),
    ]);
    app = await paypal.setUpApp({ webhookUrl: listener.url });
    shop = new RestClient(paypal.url, app);
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  async function buy(options?: Parameters<PayPalSimulator['approveOrder']>[1]): Promise<string> {
    const { body } = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'create' });
    await paypal.approveOrder(body.id, options);
    const captured = await shop.post(`/v2/checkout/orders/${body.id}/capture`, { requestId: 'capture' });
    await paypal.waitUntilIdle();
    return captured.body.purchase_units[0].payments.captures[0].id;
  }
  const eventOf = ({ body }: ReceivedNotification) => JSON.parse(body.toString());
  const types = () => listener.heard.map((heard) => eventOf(heard).event_type).sort();

  /** Verifies the notification as PayPal documents, with Node's own cryptography. Resolves with 'genuine', or what is wrong. */
  async function check({ headers, body }: ReceivedNotification): Promise<string> {
    const header = (name: string) => String(headers[`paypal-${name}`]);
    const pem = await (await fetch(header('cert-url'))).text();
    const [leaf, intermediate] = pem
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .filter((part) => part.includes('BEGIN'))
      .map((part) => new X509Certificate(part));
    const root = new X509Certificate(await paypal.rootCertificate());
    if (!intermediate) return 'no chain';
    if (!leaf!.checkHost('messageverificationcerts.paypal.com')) return 'other host';
    if (Date.parse(leaf!.validTo) < Date.now()) return 'expired';
    if (!leaf!.verify(intermediate.publicKey) || !intermediate.verify(root.publicKey)) return 'not trusted';
    if (!intermediate.ca || leaf!.ca || !leaf!.checkIssued(intermediate)) return 'not trusted';
    const signed = [header('transmission-id'), header('transmission-time'), app.webhookId, crc32(body)].join(
      '|',
    );
    const key = createPublicKey(leaf!.publicKey.export({ type: 'spki', format: 'pem' }));
    const good = createVerify('RSA-SHA256').update(signed).verify(key, header('transmission-sig'), 'base64');
    return good ? 'genuine' : 'wrong signature';
  }

  test('report an approval, a completed order and a capture, with signatures that can be verified', async () => {
    const captureId = await buy();
    expect(types()).toEqual([
      'CHECKOUT.ORDER.APPROVED',
      'CHECKOUT.ORDER.COMPLETED',
      'PAYMENT.CAPTURE.COMPLETED',
    ]);
    for (const heard of listener.heard) {
      expect(heard.headers['paypal-auth-algo']).toBe('SHA256withRSA');
      expect(await check(heard)).toBe('genuine');
    }
    const captured = listener.heard.map(eventOf).find(({ resource_type: type }) => type === 'capture');
    expect(captured.id).toMatch(/^WH-/);
    expect(captured.resource).toEqual((await shop.get(`/v2/payments/captures/${captureId}`)).body);
  });

  test.each([
    ['echeck', 'PAYMENT.CAPTURE.PENDING', 'Completed', 'PAYMENT.CAPTURE.COMPLETED'],
    ['review', 'PAYMENT.CAPTURE.PENDING', 'Denied', 'PAYMENT.CAPTURE.DENIED'],
    ['echeck', 'PAYMENT.CAPTURE.PENDING', 'Failed', 'PAYMENT.CAPTURE.DECLINED'],
  ] as const)(
    'for a payment by `%s` include %s at first, and when the payment ends as %s, %s',
    async (method, first, end, second) => {
      const captureId = await buy({ with: method });
      expect(types()).toContain(first);
      await paypal.settle(captureId, end);
      await paypal.waitUntilIdle();
      expect(types()).toContain(second);
    },
  );

  test('about a refund and about a reversal have a refund as their resource', async () => {
    const captureId = await buy();
    await paypal.refund(captureId, '9.00');
    await paypal.dispute(captureId, 'opened');
    await paypal.waitUntilIdle();
    const eventOfType = (type: string) =>
      listener.heard.map(eventOf).find((event) => event.event_type === type);
    for (const type of ['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED']) {
      const { resource, resource_type: kind } = eventOfType(type);
      expect(kind).toBe('refund');
      expect((await shop.get(`/v2/payments/refunds/${resource.id}`)).body).toEqual(resource);
    }
  });

  test('go to each of the merchant’s apps that has subscribed to the event type', async () => {
    const otherListener = await Listener.open();
    const eventTypes = ['PAYMENT.CAPTURE.COMPLETED'];
    await paypal.setUpApp({ email: app.email, webhookUrl: otherListener.url, eventTypes });
    await paypal.setUpApp({ webhookUrl: otherListener.url });
    await buy();
    expect(otherListener.heard.map((heard) => eventOf(heard).event_type)).toEqual(eventTypes);
    expect(types()).toEqual(expect.arrayContaining(eventTypes));
    await otherListener.close();
  });

  test('are retried with the same transmission id 25 times within three days; redelivered by hand afterwards, they get a new one', async () => {
    listener.answerStatus = () => 500;
    await paypal.misbehave(
      {},
      { events: ['CHECKOUT.ORDER.COMPLETED', 'CHECKOUT.ORDER.APPROVED'], drop: true },
    );
    await buy();
    await paypal.advanceClock(72 * hour);
    expect(listener.heard).toHaveLength(26);
    expect(await paypal.webhooks({ state: 'given up' })).toHaveLength(1);
    const ids = new Set(listener.heard.map(({ headers }) => headers['paypal-transmission-id']));
    expect(ids.size).toBe(1);
    listener.answerStatus = () => 204;
    const [webhook] = await paypal.webhooks({ state: 'given up' });
    await paypal.deliver([webhook!.id]);
    expect(await paypal.webhooks({ state: 'delivered' })).toHaveLength(1);
    const redelivered = listener.heard.at(-1)!;
    expect(ids).not.toContain(redelivered.headers['paypal-transmission-id']);
    expect(await check(redelivered)).toBe('genuine');
  });

  test('can be held, duplicated and delivered in any order', async () => {
    await paypal.misbehave({ invoice: '1042' }, { hold: true, duplicate: 1 });
    const captureId = await buy();
    expect(listener.heard).toEqual([]);
    const held = await paypal.webhooks({ transactionId: captureId });
    expect(held.map(({ eventType }) => eventType)).toEqual([
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.COMPLETED',
      'CHECKOUT.ORDER.COMPLETED',
      'CHECKOUT.ORDER.COMPLETED',
    ]);
    await paypal.deliver(held.map(({ id }) => id).reverse());
    expect(listener.heard.map((heard) => eventOf(heard).id)).toEqual(
      held.map(({ eventId }) => eventId).reverse(),
    );
    expect(held[0]!.eventId).toBe(held[1]!.eventId);
  });

  test.each(['other host', 'expired', 'not trusted', 'no chain'] as const)(
    'can be signed with a certificate that is wrong: %s',
    async (certificate) => {
      await paypal.misbehave({}, { certificate, events: ['PAYMENT.CAPTURE.COMPLETED'] });
      await buy();
      const heard = listener.heard.find((notification) => eventOf(notification).resource_type === 'capture')!;
      expect(await check(heard)).toBe(certificate);
      const [webhook] = (await paypal.webhooks()).filter(({ eventType }) => eventType.startsWith('PAYMENT'));
      expect(webhook!.genuine).toBe(false);
    },
  );

  test.each(['body', 'signature'] as const)('can have a spoiled %s', async (spoil) => {
    await paypal.misbehave({}, { spoil });
    await buy();
    expect(listener.heard).toHaveLength(3);
    for (const heard of listener.heard) expect(await check(heard)).toBe('wrong signature');
  });

  test('can have an old transmission time', async () => {
    await paypal.misbehave({}, { agedMs: 48 * hour });
    await buy();
    const [{ headers }] = listener.heard as [ReceivedNotification];
    const now = Date.parse((await paypal.ledger()).now);
    expect(now - Date.parse(String(headers['paypal-transmission-time']))).toBeGreaterThanOrEqual(48 * hour);
    expect(await check(listener.heard[0]!)).toBe('genuine');
  });

  test('are sent once to an address that an app registers again under a new webhook id', async () => {
    app = await paypal.setUpApp({ clientId: app.clientId, webhookId: 'NEW', webhookUrl: listener.url });
    await buy();
    expect(types()).toHaveLength(3);
    for (const heard of listener.heard) expect(await check(heard)).toBe('genuine');
  });

  test('are not sent about a payment by form', async () => {
    await paypal.pay({ business: app.email, amount: '49.00', item_name: 'Basic' });
    expect(await paypal.webhooks()).toEqual([]);
  });
});
