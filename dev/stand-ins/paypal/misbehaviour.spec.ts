import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from './client.js';
import type { NotificationMisbehaviour } from './model.js';
import { fieldsOf, Listener, postBack, shopForm } from './test/listener.js';

const order = { invoice: 'order-1' };

describe('misbehaviour on request', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([PayPalSimulator.start({ clock: 'frozen' }), Listener.open()]);
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  async function pay(how: NotificationMisbehaviour) {
    await paypal.misbehave(order, how);
    const { payment } = await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    return payment;
  }
  const verdicts = () => Promise.all(listener.heard.map(({ body }) => postBack(paypal.url, body)));

  test('duplicates notifications byte for byte', async () => {
    await pay({ duplicate: 2 });
    expect(listener.heard).toHaveLength(3);
    expect(new Set(listener.heard.map(({ body }) => body.toString('latin1'))).size).toBe(1);
    expect(await verdicts()).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED']);
  });

  test('drops notifications', async () => {
    await pay({ drop: true });
    // For four days, PayPal repeats IPNs that are not accepted.
    await paypal.advanceClock(96 * 3_600_000);
    expect(listener.heard).toEqual([]);
    expect(await paypal.ipns({ state: 'dropped' })).toHaveLength(1);
  });

  test('delays notifications by a time on the simulator’s clock', async () => {
    await pay({ delayMs: 3_600_000 });
    expect(listener.heard).toEqual([]);
    await paypal.advanceClock(3_600_000);
    expect(listener.paymentStatuses).toEqual(['Completed']);
  });

  test('holds notifications, and delivers them in any order and more than once', async () => {
    const { transactionId } = await pay({ hold: true });
    await paypal.refund(transactionId);
    const held = await paypal.ipns(order);
    expect(listener.heard).toEqual([]);
    expect(held.map(({ about, state }) => [about, state])).toEqual([
      ['Completed', 'held'],
      ['Refunded', 'held'],
    ]);
    const [completed, refunded] = held.map(({ id }) => id) as [string, string];
    await paypal.deliver([refunded, completed, refunded]);
    expect(listener.paymentStatuses).toEqual(['Refunded', 'Completed', 'Refunded']);
    expect(await verdicts()).toEqual(['VERIFIED', 'VERIFIED', 'VERIFIED']);
  });

  test.each<[string, Record<string, string>]>([
    ['receiver', { business: 'thief@example.com', receiver_email: 'thief@example.com' }],
    ['amount', { mc_gross: '0.01' }],
    ['currency', { mc_currency: 'JPY' }],
    ['sandbox flag', { test_ipn: '1' }],
  ])('sends notifications with a wrong %s that are VERIFIED', async (_, fields) => {
    await pay({ fields });
    expect(listener.lastFields).toMatchObject(fields);
    expect(await verdicts()).toEqual(['VERIFIED']);
  });

  test('changes a notification after PayPal has signed it, so that it is INVALID', async () => {
    await pay({ tamper: { mc_gross: '0.01', custom: null } });
    expect(listener.lastFields.mc_gross).toBe('0.01');
    expect(listener.lastFields).not.toHaveProperty('custom');
    expect(await verdicts()).toEqual(['INVALID']);
    expect(await paypal.ipns()).toMatchObject([{ genuine: false }]);
  });

  test('sends a parameter twice in a notification that is VERIFIED', async () => {
    await pay({ append: [['mc_gross', '0.01']] });
    expect(listener.heard[0]!.body.toString('latin1').match(/(^|&)mc_gross=/g)).toHaveLength(2);
    expect(await verdicts()).toEqual(['VERIFIED']);
  });

  test('affects only matching payments, as many times as requested, until it is removed', async () => {
    await paypal.misbehave(order, { drop: true, times: 1 });
    await paypal.misbehave({ invoice: 'order-2' }, { drop: true, statuses: ['Refunded'] });
    await paypal.pay(shopForm(listener));
    await paypal.pay(shopForm(listener));
    const { payment } = await paypal.pay(shopForm(listener, { invoice: 'order-2' }));
    await paypal.refund(payment.transactionId, '1.00');
    await paypal.waitUntilIdle();
    expect(listener.heard.map(({ body }) => fieldsOf(body).invoice)).toEqual(['order-1', 'order-2']);
    await paypal.behave({ invoice: 'order-2' });
    await paypal.refund(payment.transactionId, '1.00');
    await paypal.waitUntilIdle();
    expect(listener.paymentStatuses.at(-1)).toBe('Refunded');
  });

  test('sends synthetic IPNs, as forgeries and as genuine ones', async () => {
    const fields = { mc_gross: '49.00', invoice: 'order-1', custom: null };
    const forged = await paypal.sendIpn({ url: listener.url, fields, genuine: false });
    expect(forged).toMatchObject({ genuine: false, payment: null, deliveries: [{ status: 200 }] });
    await paypal.sendIpn({ url: listener.url, fields });
    await paypal.sendIpn({
      url: listener.url,
      copyFromId: forged.id,
      fields: { payment_status: 'Refunded' },
    });
    await paypal.sendIpn({ url: listener.url, body: 'mc_gross=1&mc_gross=2' });
    expect(await verdicts()).toEqual(['INVALID', 'VERIFIED', 'VERIFIED', 'VERIFIED']);
    expect(fieldsOf(listener.heard[2]!.body)).toMatchObject({
      payment_status: 'Refunded',
      invoice: 'order-1',
    });
    expect((await paypal.ledger()).payments).toEqual([]);
  });

  test('writes synthetic IPNs in the encoding that their `charset` names', async () => {
    await paypal.setUpMerchant({ email: 'shop@example.com', charset: 'utf-8' });
    await paypal.pay(shopForm(listener), { buyer: { firstName: 'Łukasz' } });
    await paypal.waitUntilIdle();
    const [copied] = await paypal.ipns();
    const send = async (fields: Record<string, string>, copyFromId?: string) =>
      (await paypal.sendIpn({ url: listener.url, fields, ...(copyFromId && { copyFromId }) })).body;
    expect(await send({}, copied!.id)).toContain('first_name=%C5%81ukasz&');
    expect(await send({ charset: 'UTF-8', first_name: 'Zoë' })).toContain('first_name=Zo%C3%AB&');
    // Without `charset`, the encoding is windows-1252.
    expect(await send({ first_name: 'Zoë' })).toContain('first_name=Zo%EB&');
  });

  test("lets any account send genuine notifications to another merchant's listener", async () => {
    const form = shopForm(listener, { business: 'attacker@example.com', amount: '0.50' });
    const { payment } = await paypal.pay(form);
    await paypal.refund(payment.transactionId);
    await paypal.waitUntilIdle();
    expect(listener.lastFields).toMatchObject({ receiver_email: 'attacker@example.com', invoice: 'order-1' });
    expect(await verdicts()).toEqual(['VERIFIED', 'VERIFIED']);
  });

  describe('the endpoint for postbacks', () => {
    let body: Buffer;
    beforeEach(async () => {
      await paypal.pay(shopForm(listener));
      await paypal.waitUntilIdle();
      ({ body } = listener.heard[0]!);
    });
    const sendPostback = (signal?: AbortSignal) =>
      fetch(`${paypal.url}/cgi-bin/webscr`, {
        method: 'POST',
        headers: { 'user-agent': 'Merchant-IPN/1.0', 'content-type': 'application/x-www-form-urlencoded' },
        body: `cmd=_notify-validate&${body.toString('latin1')}`,
        redirect: 'manual',
        ...(signal && { signal }),
      });

    test.each([
      ['error', 503, /Unavailable/],
      ['html', 200, /<html>.*VERIFIED/],
      ['redirect', 302, /^$/],
      ['wrong word', 200, /^verified$/],
    ] as const)('answers one request in the mode "%s", and then normally', async (mode, status, text) => {
      await paypal.setPostbackMode(mode, { match: order, times: 1 });
      const response = await sendPostback();
      expect(response.status).toBe(status);
      expect(await response.text()).toMatch(text);
      expect(await (await sendPostback()).text()).toBe('VERIFIED');
      const postbacks = await paypal.postbacks();
      expect(postbacks.map((postback) => [postback.mode, postback.verdict])).toEqual([
        [mode, 'VERIFIED'],
        ['normal', 'VERIFIED'],
      ]);
    });

    test('can redirect to a page that says VERIFIED', async () => {
      await paypal.setPostbackMode('redirect');
      const { headers } = await sendPostback();
      expect(await (await fetch(new URL(headers.get('location')!, paypal.url))).text()).toBe('VERIFIED');
    });

    test('can accept a request without answering it', async () => {
      await paypal.setPostbackMode('timeout');
      await expect(sendPostback(AbortSignal.timeout(200))).rejects.toThrow(/aborted/);
    });

    test('can send its answer one byte at a time', async () => {
      await paypal.setPostbackMode('drip');
      const response = await sendPostback();
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      expect(Buffer.from(value!).toString()).toBe('V');
      await reader.cancel();
    });

    test('can close the connection', async () => {
      await paypal.setPostbackMode('reset');
      await expect(sendPostback()).rejects.toThrow('fetch failed');
    });

    test('refuses clients without a User-Agent, as PayPal does', async () => {
      const response = await fetch(`${paypal.url}/cgi-bin/webscr`, {
        method: 'POST',
        headers: { 'user-agent': '', 'content-type': 'application/x-www-form-urlencoded' },
        body: `cmd=_notify-validate&${body.toString('latin1')}`,
      });
      expect(response.status).toBe(403);
    });
  });
});
