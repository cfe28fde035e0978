import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from './client.js';
import { Listener, shopForm } from './test/listener.js';

describe("the simulator's HTTP server", () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  beforeAll(async () => {
    [paypal, listener] = await Promise.all([PayPalSimulator.start(), Listener.open()]);
  });
  afterAll(() => Promise.all([paypal.stop(), listener.close()]));

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, paypal.url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
      redirect: 'manual',
    });

  test('listens on 127.0.0.1, which shares no cookie with the site on localhost', () => {
    expect(new URL(paypal.url).hostname).toBe('127.0.0.1');
  });

  test('refuses form submissions from other sites', async () => {
    const { url } = await paypal.openCheckout(shopForm(listener));
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await post(`${url}/pay`, 'method=balance', foreign)).status).toBe(403);
    expect((await post('/console/clock', 'hours=1', foreign)).status).toBe(403);
    const { payment } = await paypal.pay(shopForm(listener));
    const page = `/console/payments/${payment.transactionId}`;
    expect((await post(page, 'action=refund', foreign)).status).toBe(403);
    // The control API refuses every body that is not JSON. A page can send JSON to another origin only with CORS permission, which is never given.
    expect((await post('/control/postback', 'mode=error')).status).toBe(400);
    // A request without a body needs no such permission.
    const refunds = new URL(`/control/payments/${payment.transactionId}/refunds`, paypal.url);
    expect((await fetch(refunds, { method: 'POST', headers: foreign })).status).toBe(403);
    expect((await paypal.ledger({ transactionId: payment.transactionId })).payments[0]!.refunded).toBe(
      '0.00',
    );
  });

  test('sends notifications again only from the page of their payment', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    const { payment: other } = await paypal.pay(shopForm(listener, { invoice: 'another-order' }));
    await paypal.waitUntilIdle();
    const [ipn] = await paypal.ipns({ transactionId: payment.transactionId });
    const form = `action=resend&notification=${ipn!.id}`;
    const heard = listener.heard.length;
    expect((await post(`/console/payments/${other.transactionId}`, form)).status).toBe(404);
    expect(listener.heard).toHaveLength(heard);
    expect((await post(`/console/payments/${payment.transactionId}`, form)).status).toBe(303);
    expect(listener.heard).toHaveLength(heard + 1);
  });

  test('accepts the payment form of another site, and redirects a browser to the checkout page', async () => {
    const form = new URLSearchParams({ cmd: '_xclick', ...shopForm(listener) });
    const answer = await post('/cgi-bin/webscr', String(form), { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(303);
    const page = await fetch(new URL(answer.headers.get('location')!, paypal.url));
    // `form-action` allows the origin of the form's `return` address, too, because browsers apply the directive to the redirect after a form.
    expect(page.headers.get('content-security-policy')).toMatch(
      /form-action 'self' http:\/\/localhost:3000$/,
    );
    expect(await page.text()).toMatch(/SIMULATED/);
  });

  test('escapes input in its pages', async () => {
    const form = shopForm(listener, { item_name: '<script>"&', invoice: "'><b>" });
    const { url } = await paypal.openCheckout(form);
    const text = await (await fetch(url)).text();
    expect(text).toContain('&#60;script&#62;&#34;&#38;');
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<b>');
  });

  test.each([
    ['a body that is too long', '/cgi-bin/webscr', 'x'.repeat(65 * 1024 + 1), 413],
    ['a form without a command', '/cgi-bin/webscr', '', 400],
    ['a payment in an unknown checkout', '/checkout/EC-1/pay', '', 404],
    ['a request for an unknown page', '/nothing', '', 404],
  ])('answers %s with an error page', async (_, path, body, status) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  });

  test.each([
    ['POST', '/control/misbehaviour', { match: {}, how: { explode: true } }, 400, 'how'],
    ['POST', '/control/clock', { advanceMs: -1 }, 400, 'advanceMs'],
    ['POST', '/control/postback', { mode: 'odd' }, 400, 'mode'],
    ['POST', '/control/merchants', { email: 'nobody' }, 400, 'email'],
    ['POST', '/control/deliveries', { ids: ['dcbf33e3-7a3d-4a0e-a52a-5ae0b2a4a111'] }, 404, undefined],
    ['POST', '/control/payments/0/refunds', {}, 404, undefined],
    ['GET', '/ledger?order=1', undefined, 400, undefined],
  ])('answers %s %s %j with an error in JSON', async (method, path, body, status, field) => {
    const response = await fetch(new URL(path, paypal.url), {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(status);
    const answer = (await response.json()) as { error: string; field?: string };
    expect(answer.field).toBe(field);
    expect(answer.error).toMatch(/\w/);
  });
});
