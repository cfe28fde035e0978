import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { PayPalSimulator } from './client.js';
import { orderBody, planBody, RestClient, subscriptionBody } from './rest/test/rest-client.js';
import { openSimulator, type RunningSimulator } from './server.js';
import { Listener, postBack, shopForm } from './test/listener.js';

describe('a simulator with a file', () => {
  let folder: string;
  let file: string;
  let running: RunningSimulator;
  let listener: Listener;
  const warnings: string[] = [];
  const open = () => openSimulator({ file, clock: 'frozen', warn: (message) => void warnings.push(message) });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'paypal-simulator-'));
    file = join(folder, 'paypal.json');
    warnings.length = 0;
    [running, listener] = await Promise.all([open(), Listener.open()]);
  });
  afterEach(async () => {
    await Promise.all([running.stop(), listener.close()]);
    rmSync(folder, { recursive: true });
  });

  test('has saved a payment before the buyer gets the answer', async () => {
    const { payment } = await PayPalSimulator.at(running.url).pay(shopForm(undefined));
    expect(readFileSync(file, 'utf8')).toContain(payment.transactionId);
  });

  test('restores payments, merchants, the clock, and notifications that are to be repeated', async () => {
    listener.answerStatus = () => 503;
    let paypal = PayPalSimulator.at(running.url);
    const { payment } = await paypal.pay(shopForm(listener));
    const { id } = await paypal.setUpMerchant({
      email: 'shop@example.com',
      otherEmails: ['sales@example.com'],
    });
    await paypal.waitUntilIdle();
    const before = await paypal.advanceClock(15_000);
    await running.stop();

    running = await open();
    paypal = PayPalSimulator.at(running.url);
    const { payments, now } = await paypal.ledger();
    expect(payments).toEqual([payment]);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before.getTime());
    const { merchant } = (await paypal.pay(shopForm(undefined, { business: 'sales@example.com' }))).payment;
    expect(merchant.id).toBe(id);
    expect(await postBack(running.url, listener.heard[0]!.body)).toBe('VERIFIED');
    listener.answerStatus = () => 200;
    await paypal.advanceClock(20_000);
    expect(await paypal.ipns({ invoice: 'order-1' })).toMatchObject([
      { state: 'delivered', deliveries: [{ status: 503 }, { status: 503 }, { status: 200 }] },
    ]);
  });

  test('restores the REST API: apps, orders and their payments, answers by request id, and the certificates', async () => {
    let paypal = PayPalSimulator.at(running.url);
    const app = await paypal.setUpApp({ webhookUrl: listener.url });
    const root = await paypal.rootCertificate();
    let shop = new RestClient(running.url, app);
    const { body } = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'create' });
    await paypal.approveOrder(body.id);
    const capture = () => shop.post(`/v2/checkout/orders/${body.id}/capture`, { requestId: 'capture' });
    const first = await capture();
    await paypal.waitUntilIdle();
    await running.stop();
    // The simulators in this process share their certificates. Only a root that the test has put into the file shows that the file was read.
    const inFile = (text: string) => JSON.stringify(text).slice(1, -1);
    writeFileSync(file, readFileSync(file, 'utf8').replace(inFile(root), 'another root'));

    running = await open();
    paypal = PayPalSimulator.at(running.url);
    shop = new RestClient(running.url, app);
    expect(await capture()).toMatchObject({ status: 200, body: first.body });
    expect((await paypal.ledger({ orderId: body.id })).total).toBe(1);
    const order = await shop.get(`/v2/checkout/orders/${body.id}`);
    expect([order.status, order.body.status]).toEqual([200, 'COMPLETED']);
    expect(await paypal.rootCertificate()).toBe('another root');
    expect(await paypal.setUpApp({ clientId: app.clientId })).toEqual(app);
  });

  test('restores plans and subscriptions, and retries a refused charge when it is due', async () => {
    let paypal = PayPalSimulator.at(running.url);
    let shop = new RestClient(running.url, await paypal.setUpApp({ clientId: 'shop' }));
    const { body: product } = await shop.post('/v1/catalogs/products', {
      body: { name: 'SEO', type: 'SERVICE' },
    });
    const { body: plan } = await shop.post('/v1/billing/plans', { body: planBody(product.id) });
    const { body: deactivatedPlan } = await shop.post('/v1/billing/plans', { body: planBody(product.id) });
    const body = subscriptionBody(plan.id);
    const { id } = (await shop.post('/v1/billing/subscriptions', { body })).body;
    await paypal.approveSubscription(id);
    await paypal.setFunding(id, 'declined');
    await paypal.advanceClock(new Date((await paypal.subscriptions())[0]!.nextBillingAt!));
    const [before] = await paypal.subscriptions();
    // The first token has expired, because the clock has moved a month.
    await shop.signIn();
    expect((await shop.post(`/v1/billing/plans/${deactivatedPlan.id}/deactivate`)).status).toBe(204);
    const { ahead } = await paypal.clock();
    await running.stop();

    running = await open();
    paypal = PayPalSimulator.at(running.url);
    expect(await paypal.subscriptions()).toEqual([before]);
    // The clock is frozen, so `ahead` becomes smaller as real time passes.
    expect((await paypal.clock()).ahead).toBeGreaterThan(ahead - 60_000);
    shop = new RestClient(running.url, await paypal.setUpApp({ clientId: 'shop' }));
    expect((await shop.get(`/v1/billing/plans/${deactivatedPlan.id}`)).body.status).toBe('INACTIVE');
    await paypal.setFunding(id, 'ok');
    await paypal.advanceClock(new Date(before!.retryAt!));
    expect((await paypal.subscriptions())[0]).toMatchObject({
      outstanding: '0.00',
      charges: [{ standing: 'Completed' }, { standing: 'Denied' }, { standing: 'Completed' }],
    });
  });

  test('has saved an order before the shop gets the answer', async () => {
    const paypal = PayPalSimulator.at(running.url);
    const shop = new RestClient(running.url, await paypal.setUpApp());
    const { body } = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'create' });
    expect(readFileSync(file, 'utf8')).toContain(body.id);
  });

  test('has saved changes of webhooks, orders and merchants before it answers', async () => {
    const paypal = PayPalSimulator.at(running.url);
    const shop = new RestClient(running.url, await paypal.setUpApp());
    const saved = () => readFileSync(file, 'utf8');
    // Making certificates leads to a delayed save, which could otherwise store the changes below.
    await paypal.rootCertificate();
    await eventually(() => expect(saved()).toContain('BEGIN CERTIFICATE'));

    const url = 'https://shop.example/webhook';
    const webhooks = '/v1/notifications/webhooks';
    const { body: webhook } = await shop.post(webhooks, { body: { url, event_types: [{ name: '*' }] } });
    expect(saved()).toContain(`"url":"${url}"`);
    const body = [{ op: 'replace', path: '/url', value: `${url}/2` }];
    await shop.call('PATCH', `${webhooks}/${webhook.id}`, { body });
    expect(saved()).toContain(`"url":"${url}/2"`);
    await shop.call('DELETE', `${webhooks}/${webhook.id}`);
    expect(saved()).not.toContain(url);

    const order = await shop.post('/v2/checkout/orders', { body: orderBody({ payment_source: undefined }) });
    expect([order.status, saved()]).toEqual([201, expect.stringContaining(order.body.id)]);
    const merchant = await paypal.setUpMerchant({ email: 'shop@example.com' });
    expect(saved()).toContain(merchant.id);
  });

  test('has saved a payment before it sends the notification', async () => {
    const paypal = PayPalSimulator.at(running.url);
    const saved: boolean[] = [];
    listener.answerStatus = () => {
      saved.push(readFileSync(file, 'utf8').includes('"status":"Completed"'));
      return 200;
    };
    await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    expect(saved).toEqual([true]);
  });

  test('renames a file that it cannot read, and logs a warning', async () => {
    await running.stop();
    writeFileSync(file, '{"version":1,"sta');
    running = await open();
    expect((await PayPalSimulator.at(running.url).ledger()).total).toBe(0);
    expect(existsSync(`${file}.unreadable`)).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('paypal.json')]);
  });
});
