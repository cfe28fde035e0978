import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '#libs/testing';
import { type PlacedOrder, price, Shop, shopAddress } from './shop.harness.js';

// Notifications that PayPal calls INVALID, and behaviour of PayPal that differs from its documentation.

const secondaryAddress = 'sales@agency.example';
let shop: Shop;

beforeAll(async () => {
  // How long INVALID notifications are posted back: enough for several postbacks on a busy machine, and short enough to wait for in tests.
  shop = await Shop.open({ ordersSettings: { NOTICE_REFUSED_SECONDS: '6' } });
});
afterAll(() => shop?.close());

describe('a notification that PayPal calls INVALID', () => {
  test('is posted back again, and counts as soon as PayPal confirms it', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.setPostbackMode('invalid', { match: { invoice: order.id }, times: 2 });
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: [] });
    expect(await shop.decisions(order)).toMatchObject([{ status: 'recorded' }]);
    const asked = (await shop.paypal.postbacks()).filter(({ body }) => body.includes(order.id));
    expect(asked.map(({ mode }) => mode)).toEqual(['invalid', 'invalid', 'normal']);
  });

  test('at every postback is stored, and flags the order; if PayPal resends and confirms it later, it counts', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.setPostbackMode('invalid', { match: { invoice: order.id } });
    await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'UnPaid', flags: ['unverified'] });
    expect(await shop.decisions(order)).toMatchObject([{ status: 'forged' }]);
    expect(await shop.outboxEvents(order)).toEqual(['payments.flagged']);
    expect((await shop.timeline(order)).at(-1)).toMatchObject({
      text: 'PayPal didn’t confirm a message about this order, so it changed nothing.',
      evidence: { mc_gross: price, payment_status: 'Completed' },
    });
    // A notification that is resent manually is another message, and counts.
    await shop.paypal.behave({ invoice: order.id });
    const [notification] = await shop.paypal.ipns({ invoice: order.id });
    await shop.paypal.deliver([notification!.id]);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid' });
  });

  test('and that belongs to no payment attempt of ours is not posted back again', async () => {
    const body = 'custom=unknown&invoice=asked-once';
    await shop.notify(body);
    await shop.settled();
    const asked = (await shop.paypal.postbacks()).filter((postback) => postback.body === body);
    expect(asked).toHaveLength(1);
  });
});

test('tax and shipping of the merchant’s profile do not change what is due', async () => {
  await shop.paypal.setUpMerchant({ email: shopAddress, profileTax: '24.00', profileShipping: '5.00' });
  const order = await shop.placeOrder();
  await shop.paypal.pay(await shop.form(order));
  await shop.settled();
  expect(await shop.storedOrder(order)).toMatchObject({
    paymentStatus: 'Paid',
    payments: [{ amount: price }],
  });
});

describe('a refund notification (without `business`) about a payment to a secondary address', () => {
  beforeAll(async () => {
    await shop.paypal.setUpMerchant({ email: 'owner@agency.example', otherEmails: [secondaryAddress] });
    await shop.setAddress(secondaryAddress);
  });
  afterAll(() => shop.setAddress(shopAddress));

  test('counts if it names the account that received the payment', async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await shop.paypal.refund(payment.transactionId);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentState: 'refunded', flags: ['refunded'] });
  });

  test('counts if it arrives before its payment', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await shop.paypal.refund(payment.transactionId, '90.00');
    const [completed, refunded] = await shop.paypal.ipns({ invoice: order.id });
    await shop.paypal.deliver([refunded!.id]);
    await eventually(async () => {
      const { rows } = await shop.sql.query<{ last_failure: string }>(
        `SELECT last_failure FROM payment_notices WHERE status = 'waiting' AND last_failure IS NOT NULL`,
      );
      expect(rows).toEqual([{ last_failure: 'its payment is not known yet' }]);
    });
    await shop.paypal.deliver([completed!.id]);
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentState: 'partially_refunded',
      refundedCents: 9_000,
      flags: [],
    });
  });

  test('is held if it names another account', async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await shop.settled();
    await sendRefundNamingAnotherAccount(order, payment.transactionId);
    expect((await shop.decisions(order)).at(-1)).toMatchObject({ status: 'held', failed: ['receiver'] });
    expect(await shop.storedOrder(order)).toMatchObject({ paymentStatus: 'Paid', flags: ['notice_held'] });
  });

  test('is held if it names another account, even if no notification of the payment arrives', async () => {
    const order = await shop.placeOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await shop.paypal.pay(await shop.form(order));
    await sendRefundNamingAnotherAccount(order, payment.transactionId);
    expect(await shop.decisions(order)).toMatchObject([{ status: 'held', failed: ['receiver'] }]);
  });

  async function sendRefundNamingAnotherAccount(order: PlacedOrder, parent: string): Promise<void> {
    const [genuine] = await shop.paypal.ipns({ invoice: order.id });
    await shop.paypal.sendIpn({
      url: shop.ipnUrl,
      copyFromId: genuine!.id,
      fields: {
        // The refund has an id of its own, of the same length as the payment's.
        ...{ payment_status: 'Refunded', txn_type: null, txn_id: `REFUND${parent.slice(6)}` },
        ...{ parent_txn_id: parent, mc_gross: `-${price}`, business: null },
        ...{ receiver_email: 'buyers-own-shop@example.com', receiver_id: 'BUYERSOWNSHOP' },
      },
    });
    await shop.settled();
  }
});

describe('a dispute', () => {
  const disputedOrder = async () => {
    const order = await shop.placeOrder();
    const { payment } = await shop.paypal.pay(await shop.form(order));
    // If the payment and the dispute were processed together, the order would never be Paid.
    await shop.settled();
    await shop.paypal.dispute(payment.transactionId, 'opened');
    await shop.settled();
    return { order, transaction: payment.transactionId };
  };

  test('reverses the whole payment, although the amount that PayPal reports is reduced by the fee', async () => {
    const { order } = await disputedOrder();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Cancelled',
      paymentState: 'disputed',
    });
  });

  test('that is lost ends as a refund', async () => {
    const { order, transaction } = await disputedOrder();
    await shop.paypal.dispute(transaction, 'lost');
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({
      paymentStatus: 'Cancelled',
      paymentState: 'refunded',
      refundedCents: 29_000,
    });
  });

  test('that is lost ends as a refund, even without a notification that the reversal was cancelled', async () => {
    const { order, transaction } = await disputedOrder();
    await shop.paypal.misbehave({ invoice: order.id }, { drop: true, statuses: ['Canceled_Reversal'] });
    await shop.paypal.dispute(transaction, 'lost');
    await shop.settled();
    expect(await shop.storedOrder(order)).toMatchObject({ paymentState: 'refunded', refundedCents: 29_000 });
    expect((await shop.outboxEvents(order)).filter((event) => event === 'orders.paid')).toHaveLength(1);
  });
});

test('a refund that PayPal has confirmed is never reported as unverified, however long it waits for its payment', async () => {
  const patientShop = await Shop.open({
    ordersSettings: { NOTICE_REFUSED_SECONDS: '86400', PAYMENT_RECONCILE_SECONDS: '1' },
  });
  try {
    await patientShop.paypal.setUpMerchant({
      email: 'owner@agency.example',
      otherEmails: [secondaryAddress],
    });
    await patientShop.setAddress(secondaryAddress);
    const order = await patientShop.placeOrder();
    await patientShop.paypal.misbehave({ invoice: order.id }, { hold: true });
    const { payment } = await patientShop.paypal.pay(await patientShop.form(order));
    await patientShop.paypal.refund(payment.transactionId);
    const [, refunded] = await patientShop.paypal.ipns({ invoice: order.id });
    await patientShop.paypal.deliver([refunded!.id]);
    const failureOf = async ({ id }: PlacedOrder) => {
      const { rows } = await patientShop.sql.query<{ failure: string | null }>(
        `SELECT last_failure AS failure FROM payment_notices notification
         JOIN payment_attempts attempt ON attempt.id = notification.attempt_id WHERE order_id = $1`,
        [id],
      );
      return rows[0]?.failure;
    };
    await eventually(async () => expect(await failureOf(order)).toBe('its payment is not known yet'));
    // PayPal does not confirm this second notification. The flag of its order shows that the worker has looked at both notifications.
    const unconfirmed = await patientShop.placeOrder();
    await patientShop.paypal.setPostbackMode('error', { match: { invoice: unconfirmed.id } });
    await patientShop.paypal.pay(await patientShop.form(unconfirmed));
    await eventually(async () => expect(await failureOf(unconfirmed)).toEqual(expect.any(String)));
    // Longer ago than `NOTICE_ALERT_SECONDS`, which is two hours by default.
    await patientShop.sql.query(`UPDATE payment_notices SET received_at = received_at - interval '3 hours'`);
    await eventually(async () =>
      expect(await patientShop.storedOrder(unconfirmed)).toMatchObject({ flags: ['unverified'] }),
    );
    expect(await patientShop.storedOrder(order)).toMatchObject({ flags: [] });
  } finally {
    await patientShop.close();
  }
});
