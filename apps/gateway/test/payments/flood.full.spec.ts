import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import type { PaymentForm } from '../../../../dev/stand-ins/paypal/client.js';
import { type PlacedOrder, price, Shop, shopAddress } from './shop.harness.js';

// An attack on Payments Standard: forged notifications by the hundred, while buyers pay.

/**
 * A process asks PayPal about at most eight notifications at the same time, and at most this many of them are doubtful. A notification is doubtful if
 * it belongs to no payment attempt, or if others of its attempt wait or have proved forged (`Lane` in the orders service).
 */
const doubtfulPlaces = 4;
/** Forgeries without a payment attempt's token (`custom`), with a random one, and with a stolen one: this many of each. */
const perKind = 120;
const buyers = 30;

// Many addresses fill the part of `NOTICE_BACKLOG` that is open to doubtful notifications (503). One address exceeds `LIMIT_NOTICES` (429).
const floods = [
  ['many addresses', 503, (i: number) => `198.51.${100 + Math.floor(i / 250)}.${1 + (i % 250)}`],
  ['one address', 429, () => '198.51.100.7'],
] as const;

describe.each(floods)('a flood of forged notifications from %s', (_from, refusal, addressOf) => {
  let shop: Shop;
  let orders: PlacedOrder[];
  /** An order whose token the forger knows. */
  let victim: PlacedOrder;
  let form: PaymentForm;

  beforeAll(async () => {
    shop = await Shop.open({
      processes: ['orders'],
      settings: { LIMIT_NOTICES: '60/600', LIMIT_PAYMENTS: '1000/60', TRUSTED_PROXIES: '127.0.0.1' },
      ordersSettings: { NOTICE_BACKLOG: '500', PAYPAL_TIMEOUT_MS: '60000' },
    });
    victim = await shop.placeOrder();
    form = await shop.form(victim);
    // The worst case: PayPal does not answer questions about forged notifications.
    await shop.paypal.setPostbackMode('timeout', { match: { invoice: 'forged' } });
    orders = await Promise.all(Array.from({ length: buyers }, () => shop.placeOrder()));
    for (const order of [victim, ...orders]) {
      await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
      await shop.paypal.pay(order === victim ? form : await shop.form(order));
    }
  });
  afterAll(() => shop?.close());

  const forged = (i: number, tokenField: Record<string, string>) =>
    new URLSearchParams({
      ...{ txn_id: `FORGED${i}`, payment_status: 'Completed', txn_type: 'web_accept', mc_currency: 'USD' },
      ...{ mc_gross: price, business: shopAddress, invoice: 'forged', ...tokenField },
    }).toString();

  const flood = () =>
    Promise.all(
      Array.from({ length: 3 * perKind }, async (_, i) => {
        const tokenFields = [{}, { custom: randomBytes(16).toString('hex') }, { custom: form.custom! }];
        const headers = { 'X-Forwarded-For': addressOf(i) };
        return (await shop.notify(forged(i, tokenFields[i % 3] as Record<string, string>), headers)).status;
      }),
    );

  const deliver = async (order: PlacedOrder) => {
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    const [delivered] = await shop.paypal.deliver([notification!.id]);
    return delivered!.deliveries.map(({ status }) => status);
  };

  test('is partly refused, and every genuine notification is accepted at its first delivery', async () => {
    const [statuses, deliveries] = await Promise.all([
      flood(),
      Promise.all([victim, ...orders].map(deliver)),
    ]);
    expect(deliveries).toEqual([victim, ...orders].map(() => [200]));
    expect(new Set(statuses)).toEqual(new Set([200, refusal]));
  });

  test('does not block genuine ones: they are decided while PayPal leaves questions about five forged ones unanswered', async () => {
    for (const order of orders) {
      await eventually(async () =>
        expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] }),
      );
    }
    const asked = (await shop.paypal.postbacks()).filter(({ body }) => body.includes('invoice=forged'));
    // The first forgery with the stolen token arrives while no other notification of its attempt waits, so it is not doubtful.
    expect(asked).toHaveLength(doubtfulPlaces + 1);
  });

  test('with the token of an order does not prevent the payment, and leaves at most 20 forged notifications about the order', async () => {
    await shop.paypal.behave({ invoice: 'forged' });
    // Stopping does not wait for the deadline of questions that PayPal has not answered.
    const running = shop.site.orders.at(-1)!;
    await running.stop();
    expect(await running.process!.exited).toBe(0);
    await shop.site.startOrders({ PAYPAL_TIMEOUT_MS: '1000' });
    await shop.settled();
    expect(await shop.storedOrder(victim)).toMatchObject({ paymentStatus: 'Paid' });
    const kept = (await shop.decisions(victim)).filter(({ status }) => status === 'forged');
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThanOrEqual(20);
  });
});
