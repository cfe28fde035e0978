import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from './client.js';
import { Listener, postBack, shopForm } from './test/listener.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** PHP's `urlencode(urldecode(value))`, which works on bytes. */
function phpReEncoded(value: string): string {
  const decoded = value
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decoded
    .replace(/[^\w. -]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replaceAll(' ', '+');
}

describe('notifications', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([
      PayPalSimulator.start({ clock: 'frozen', listenerTimeoutMs: 2_000 }),
      Listener.open(),
    ]);
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  test('contain the fields of a payment in the account’s encoding, with dates and empty fields as PayPal writes them', async () => {
    const buyer = { firstName: 'Zoë', lastName: 'Müller', email: 'zoe+shop@example.com', countryCode: 'DE' };
    const form = shopForm(listener, { amount: '19.95', item_name: 'Größe €', custom: '' });
    const { payment } = await paypal.pay(form, { buyer });
    await paypal.waitUntilIdle();
    const [{ body, contentType, userAgent }] = listener.heard as [(typeof listener.heard)[0]];
    expect(contentType).toBe('application/x-www-form-urlencoded');
    expect(userAgent).toMatch(/^PayPal IPN/);
    const text = body.toString('latin1');
    expect(text).toMatch(/(^|&)charset=windows-1252(&|$)/);
    expect(text).toContain('first_name=Zo%EB&');
    expect(text).toContain('item_name=Gr%F6%DFe+%80&');
    expect(text).toContain('custom=&');
    expect(text).toMatch(/payment_date=\d\d%3A\d\d%3A\d\d\+[A-Z][a-z]{2}\+\d\d%2C\+\d{4}\+P[SD]T&/);
    expect(listener.lastFields).toMatchObject({
      mc_gross: '19.95',
      mc_fee: '0.88',
      payment_gross: '19.95',
      payment_fee: '0.88',
      mc_currency: 'USD',
      payment_status: 'Completed',
      payment_type: 'instant',
      txn_type: 'web_accept',
      txn_id: payment.transactionId,
      invoice: 'order-1',
      item_number: '1',
      quantity: '1',
      business: 'shop@example.com',
      receiver_email: 'shop@example.com',
      payer_email: 'zoe+shop@example.com',
      last_name: 'Müller',
      residence_country: 'DE',
      protection_eligibility: 'Ineligible',
      notify_version: '3.9',
    });
    expect(listener.lastFields.txn_id).toMatch(/^[0-9A-Z]{17}$/);
    expect(listener.lastFields.receiver_id).toMatch(/^[0-9A-Z]{13}$/);
    expect(listener.lastFields.verify_sign).toHaveLength(56);
    expect(listener.lastFields.ipn_track_id).toHaveLength(13);
    for (const absent of [
      'test_ipn',
      'parent_txn_id',
      'pending_reason',
      'reason_code',
      'address_street',
      'resend',
    ])
      expect(listener.lastFields).not.toHaveProperty(absent);
  });

  test('contain an address if the form asks for one, and have empty dollar fields if the currency is not the dollar', async () => {
    await paypal.pay(shopForm(listener, { no_shipping: '0', currency_code: 'JPY', amount: '1200' }));
    await paypal.waitUntilIdle();
    expect(listener.lastFields).toMatchObject({
      address_name: 'John Buyer',
      address_country: 'United States',
      address_status: 'confirmed',
      protection_eligibility: 'Eligible',
      mc_gross: '1200',
      payment_gross: '',
      payment_fee: '',
    });
  });

  test('name the account’s primary address as the receiver, and the address that was paid as the business', async () => {
    await paypal.setUpMerchant({
      email: 'Owner@example.com',
      otherEmails: ['sales@example.com'],
      charset: 'utf-8',
    });
    await paypal.pay(shopForm(listener, { business: 'Sales@Example.com', item_name: 'Café 日本' }));
    await paypal.waitUntilIdle();
    expect(listener.lastFields).toMatchObject({
      business: 'sales@example.com',
      receiver_email: 'owner@example.com',
      charset: 'utf-8',
      item_name: 'Café 日本',
    });
  });

  test('are VERIFIED unchanged, and INVALID with a changed byte, other escapes or fields in another sequence', async () => {
    await paypal.pay(shopForm(listener, { item_name: 'Größe & mehr' }), { buyer: { firstName: 'Zoë' } });
    await paypal.waitUntilIdle();
    const { body } = listener.heard[0]!;
    expect(await postBack(paypal.url, body)).toBe('VERIFIED');
    for (let at = 0; at < body.length; at += 7) {
      const changed = Buffer.from(body);
      changed[at] = changed[at]! ^ 1;
      expect(await postBack(paypal.url, changed)).toBe('INVALID');
    }
    const text = body.toString('latin1');
    const variants = {
      'decoded and encoded again': new URLSearchParams(text).toString(),
      'in lower-case escapes': text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
      shorter: text.slice(0, -1),
      longer: `${text}&mc_gross=49.00`,
      reordered: text.split('&').reverse().join('&'),
      empty: '',
    };
    for (const variant of Object.values(variants))
      expect(await postBack(paypal.url, variant)).toBe('INVALID');
  });

  test.each<[string, (message: string) => string, string?]>([
    ['C#', (message) => `cmd=_notify-validate&${message}`],
    ['ruby', (message) => message, '?cmd=_notify-validate'],
    ['perl', (message) => `${message}&cmd=_notify-validate`],
    [
      'php, which re-encodes every value',
      (message) =>
        [
          'cmd=_notify-validate',
          ...message.split('&').map((pair) => pair.replace(/(?<==).*/, phpReEncoded)),
        ].join('&'),
    ],
  ])(
    'are VERIFIED when they are sent back as in paypal/ipn-code-samples: %s',
    async (_, write, query = '') => {
      const form = shopForm(listener, { item_name: 'Größe~ & *mehr* (100 %)', no_shipping: '0' });
      await paypal.pay(form, { buyer: { firstName: 'Zoë', email: 'zoe+shop@example.com' } });
      await paypal.waitUntilIdle();
      const sendBack = (body: string) =>
        fetch(`${paypal.url}/cgi-bin/webscr${query}`, {
          method: 'POST',
          headers: { 'user-agent': 'PHP-IPN-Verification-Script' },
          body: Buffer.from(body, 'latin1'),
        }).then((response) => response.text());
      const message = listener.heard[0]!.body.toString('latin1');
      expect(await sendBack(write(message))).toBe('VERIFIED');
      expect(await sendBack(write(message.replace('mc_gross=49', 'mc_gross=48')))).toBe('INVALID');
    },
  );

  test('are repeated at growing intervals, fifteen times within four days', async () => {
    listener.answerStatus = () => 503;
    await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    expect(listener.heard).toHaveLength(1);
    await paypal.advanceClock(9_999);
    expect(listener.heard).toHaveLength(1);
    await paypal.advanceClock(1);
    expect(listener.heard).toHaveLength(2);
    await paypal.advanceClock(20_000);
    expect(listener.heard).toHaveLength(3);
    await paypal.advanceClock(4 * day);
    expect(listener.heard).toHaveLength(16);
    const [notification] = await paypal.ipns();
    expect(notification).toMatchObject({ state: 'given up', nextAt: null });
    const times = notification!.deliveries.map(({ at }) => Date.parse(at));
    expect(times[15]! - times[0]!).toBe(10_000 * (2 ** 15 - 1));
    expect(times[15]! - times[0]!).toBeLessThan(4 * day);
    await paypal.advanceClock(30 * day);
    expect(listener.heard).toHaveLength(16);
    expect(new Set(listener.heard.map(({ body }) => body.toString('latin1'))).size).toBe(1);
  });

  test.each([201, 204, 302, 404, 500])('are repeated after an answer of %i', async (status) => {
    listener.answerStatus = (before) => (before < 2 ? status : 200);
    await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    await paypal.advanceClock(30_000);
    const [notification] = await paypal.ipns();
    expect(notification).toMatchObject({ state: 'delivered' });
    expect(notification!.deliveries.map((delivery) => delivery.status)).toEqual([status, status, 200]);
    await paypal.advanceClock(4 * day);
    expect(listener.heard).toHaveLength(3);
  });

  test('wait for a repetition if nobody answers, and each delivery records why it failed', async () => {
    const gone = await Listener.open();
    await gone.close();
    await paypal.pay(shopForm(gone));
    await paypal.waitUntilIdle();
    const [notification] = await paypal.ipns();
    expect(notification).toMatchObject({
      state: 'waiting',
      deliveries: [{ status: null, fault: 'ECONNREFUSED' }],
    });
    await paypal.advanceClock(9_999);
    expect((await paypal.ipns())[0]!.deliveries).toHaveLength(1);
    await paypal.advanceClock(1);
    expect((await paypal.ipns())[0]!.deliveries).toMatchObject([
      { fault: 'ECONNREFUSED' },
      { fault: 'ECONNREFUSED' },
    ]);
  });

  test('that are resent manually end in `resend=true`, and are VERIFIED with and without it', async () => {
    await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    const [notification] = await paypal.ipns();
    await paypal.deliver([notification!.id]);
    const [first, again] = listener.heard.map(({ body }) => body.toString('latin1'));
    expect(again).toBe(`${first}&resend=true`);
    expect(await postBack(paypal.url, first!)).toBe('VERIFIED');
    expect(await postBack(paypal.url, again!)).toBe('VERIFIED');
  });

  test('go to the `notify_url` of the form, also for later events of the payment', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    await paypal.refund(payment.transactionId, '9.00');
    await paypal.waitUntilIdle();
    expect(listener.lastFields).toMatchObject({
      payment_status: 'Refunded',
      parent_txn_id: payment.transactionId,
      reason_code: 'refund',
      mc_gross: '-9.00',
      payment_gross: '-9.00',
      custom: 'attempt-1',
      invoice: 'order-1',
    });
    expect(listener.lastFields.txn_id).not.toBe(payment.transactionId);
    expect(listener.lastFields).not.toHaveProperty('txn_type');
  });

  test('go to the account’s `notifyUrl` if the form has no `notify_url`, and nowhere if the account has none either', async () => {
    await paypal.pay(shopForm(undefined));
    expect(await paypal.ipns()).toEqual([]);
    await paypal.setUpMerchant({ email: 'shop@example.com', notifyUrl: listener.url });
    await paypal.pay(shopForm(undefined));
    await paypal.waitUntilIdle();
    expect(listener.paymentStatuses).toEqual(['Completed']);
  });
});
