import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from './client.js';
import { fieldsOf, Listener, shopForm } from './test/listener.js';

describe('payments', () => {
  let paypal: PayPalSimulator;
  let listener: Listener;
  beforeEach(async () => {
    [paypal, listener] = await Promise.all([PayPalSimulator.start({ clock: 'frozen' }), Listener.open()]);
  });
  afterEach(() => Promise.all([paypal.stop(), listener.close()]));

  async function standing(transactionId: string) {
    const { payments } = await paypal.ledger({ transactionId });
    return payments[0]?.standing;
  }

  test('are made once for each checkout page, however often the page is submitted', async () => {
    const checkout = await paypal.openCheckout(shopForm(listener));
    const receipts = await Promise.all(Array.from({ length: 10 }, () => checkout.pay()));
    expect(new Set(receipts.map(({ payment }) => payment.transactionId)).size).toBe(1);
    await paypal.pay(shopForm(listener));
    await paypal.waitUntilIdle();
    expect((await paypal.ledger({ invoice: 'order-1' })).total).toBe(2);
    expect(listener.paymentStatuses).toEqual(['Completed', 'Completed']);
  });

  test('with a declined card fail, and the buyer can then pay with another card on the same page', async () => {
    const checkout = await paypal.openCheckout(shopForm(listener));
    for (const card of ['4000 0000 0000 0002', '4000000000009995'])
      await expect(checkout.pay({ with: 'card', card })).rejects.toMatchObject({
        status: 402,
        field: 'card',
      });
    // A number that might be a real card is refused.
    await expect(checkout.pay({ with: 'card', card: '4242 4242 4242 4242' })).rejects.toMatchObject({
      status: 400,
    });
    expect((await paypal.ledger()).total).toBe(0);
    const { payment } = await checkout.pay({ with: 'card', card: '4111-1111 1111 1111' });
    expect(payment).toMatchObject({ standing: 'Completed', paidWith: 'card', gross: '49.00', fee: '1.72' });
  });

  test.each([
    ['cleared', 'Completed', '1.72'],
    ['failed', 'Failed', null],
  ] as const)('by e-check are pending, then %s, under one transaction id', async (_, end, fee) => {
    const { payment } = await paypal.pay(shopForm(listener), { with: 'echeck' });
    await paypal.waitUntilIdle();
    expect(payment).toMatchObject({ standing: 'Pending', fee: null });
    expect(listener.lastFields).toMatchObject({
      payment_type: 'echeck',
      pending_reason: 'echeck',
      payment_status: 'Pending',
    });
    expect(listener.lastFields).not.toHaveProperty('mc_fee');
    const settled = await paypal.settle(payment.transactionId, end);
    await paypal.waitUntilIdle();
    expect(settled).toMatchObject({ standing: end, fee });
    expect(listener.lastFields).toMatchObject({ txn_id: payment.transactionId, payment_status: end });
    expect(listener.lastFields).not.toHaveProperty('pending_reason');
    await expect(paypal.clearEcheck(payment.transactionId)).rejects.toMatchObject({ status: 409 });
    await expect(paypal.refund(payment.transactionId, '50.00')).rejects.toMatchObject({ status: 409 });
  });

  test.each(['Denied', 'Expired', 'Voided'] as const)('under review can end as %s', async (end) => {
    const { payment } = await paypal.pay(shopForm(listener), { with: 'review' });
    await paypal.settle(payment.transactionId, end);
    await paypal.waitUntilIdle();
    expect(listener.paymentStatuses).toEqual(['Pending', end]);
    expect(await standing(payment.transactionId)).toBe(end);
  });

  test('are refunded in parts that add up exactly, and never by more than was paid', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    const { transactionId } = payment;
    await expect(paypal.refund(transactionId, '49.01')).rejects.toMatchObject({
      status: 409,
      field: 'amount',
    });
    await expect(paypal.refund(transactionId, '0.00')).rejects.toMatchObject({ status: 400 });
    expect(await paypal.refund(transactionId, '10.01')).toMatchObject({
      standing: 'Partially_Refunded',
      refunded: '10.01',
    });
    const refunded = await paypal.refund(transactionId);
    expect(refunded).toMatchObject({ standing: 'Refunded', refunded: '49.00' });
    const sum = (of: 'gross' | 'fee') =>
      refunded.entries.reduce((total, entry) => total + Math.round(Number(entry[of]) * 100), 0);
    expect([sum('gross'), sum('fee')]).toEqual([0, 0]);
    await expect(paypal.refund(transactionId)).rejects.toMatchObject({ status: 409 });
  });

  test('are reversed by a dispute, and restored when the merchant wins it', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    const { transactionId } = payment;
    await paypal.refund(transactionId, '9.00');
    await paypal.dispute(transactionId, 'opened');
    await paypal.waitUntilIdle();
    expect(await standing(transactionId)).toBe('Reversed');
    expect(await paypal.ipns()).toMatchObject([
      { about: 'Completed' },
      { about: 'Refunded' },
      { about: 'new_case' },
      { about: 'Reversed' },
    ]);
    await expect(paypal.refund(transactionId)).rejects.toMatchObject({ status: 409 });
    await paypal.dispute(transactionId, 'won');
    await paypal.waitUntilIdle();
    expect(listener.lastFields).toMatchObject({
      payment_status: 'Canceled_Reversal',
      parent_txn_id: transactionId,
      // 40.00 less the rest of the fee.
      mc_gross: '38.60',
      mc_fee: '1.40',
    });
    expect(await standing(transactionId)).toBe('Partially_Refunded');
    await expect(paypal.dispute(transactionId, 'lost')).rejects.toMatchObject({ status: 409 });
  });

  test('have reversal notifications that contain the amount less the fee', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    await paypal.dispute(payment.transactionId, 'opened');
    await paypal.waitUntilIdle();
    const notifications = listener.heard.map(({ body }) => fieldsOf(body));
    expect(notifications.find(({ payment_status }) => payment_status === 'Reversed')).toMatchObject({
      mc_gross: '-47.28',
      mc_fee: '-1.72',
      payment_gross: '-47.28',
    });
  });

  test('are refunded when the merchant loses the dispute', async () => {
    const { payment } = await paypal.pay(shopForm(listener));
    await paypal.refund(payment.transactionId, '9.00');
    await paypal.dispute(payment.transactionId, 'opened');
    const lost = await paypal.dispute(payment.transactionId, 'lost');
    await paypal.waitUntilIdle();
    expect(lost).toMatchObject({ standing: 'Refunded', refunded: '49.00', dispute: 'lost' });
    expect((await paypal.ipns()).slice(-2)).toMatchObject([
      { about: 'Canceled_Reversal' },
      { about: 'Refunded' },
    ]);
  });

  test('have refund notifications without `business`', async () => {
    await paypal.setUpMerchant({ email: 'owner@example.com', otherEmails: ['shop@example.com'] });
    const { payment } = await paypal.pay(shopForm(listener));
    await paypal.refund(payment.transactionId);
    const [completed, refunded] = (await paypal.ipns()).map(({ fields }) => Object.fromEntries(fields));
    expect(completed).toMatchObject({ business: 'shop@example.com', receiver_email: 'owner@example.com' });
    expect(refunded).toMatchObject({
      receiver_email: 'owner@example.com',
      receiver_id: payment.merchant.id,
    });
    expect(refunded).not.toHaveProperty('business');
  });

  test('include the tax and shipping of the merchant’s profile, unless the form says 0', async () => {
    await paypal.setUpMerchant({ email: 'shop@example.com', profileTax: '4.90', profileShipping: '5.00' });
    const cost = async (overrides: Record<string, string>) =>
      (await paypal.pay(shopForm(listener, overrides))).payment.gross;
    expect(await cost({})).toBe('58.90');
    expect(await cost({ tax: '0' })).toBe('54.00');
    expect(await cost({ tax: '0.00', shipping: '0.00' })).toBe('49.00');
  });

  test.each([
    ['business', { business: '' }],
    ['business', { business: 'not an address' }],
    ['amount', { amount: '0.00' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: 'free' }],
    ['amount', { discount_amount: '49.00' }],
    ['currency_code', { currency_code: 'XXX' }],
    ['quantity', { quantity: '0' }],
    ['notify_url', { notify_url: 'javascript:alert(1)' }],
    ['notify_url', { notify_url: `http://localhost/${'x'.repeat(255)}` }],
    ['custom', { custom: 'x'.repeat(256) }],
    ['invoice', { invoice: 'x'.repeat(128) }],
    ['return', { return: 'nowhere' }],
    ['cmd', { cmd: '_cart' }],
    ['charset', { charset: 'klingon' }],
  ])('are refused for their %s: %j', async (field, overrides) => {
    await expect(paypal.openCheckout(shopForm(listener, overrides))).rejects.toMatchObject({
      status: 400,
      field,
    });
  });

  test('are for the sum of the form’s amounts, which the simulator does not compare with any price', async () => {
    const overrides = {
      quantity: '3',
      tax: '1.00',
      shipping: '2.00',
      handling: '0.50',
      discount_amount: '7.00',
    };
    const { payment } = await paypal.pay(shopForm(listener, overrides));
    expect(payment).toMatchObject({ gross: '143.50', quantity: 3 });
  });

  test('are for the amount that the buyer enters if the form has none', async () => {
    const form = shopForm(listener, { amount: '', item_name: '' });
    await expect(paypal.pay(form)).rejects.toMatchObject({ status: 400, field: 'amount' });
    const { payment } = await paypal.pay(form, { amount: '3', itemName: 'Whatever I like' });
    expect(payment).toMatchObject({ gross: '3.00', itemName: 'Whatever I like' });
  });

  test.each(['firstName', 'lastName'])('are refused without the buyer’s %s', async (field) => {
    const { url } = await paypal.openCheckout(shopForm(listener));
    const answer = await fetch(`${url}/pay`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ method: 'balance', [field]: '' }),
    });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'Enter a name.', field }]);
  });

  test('of one invoice are made once if the merchant blocks duplicates', async () => {
    await paypal.setUpMerchant({ email: 'shop@example.com', blocksDuplicateInvoices: true });
    const second = await paypal.openCheckout(shopForm(listener));
    await paypal.pay(shopForm(listener));
    const refusal = { status: 409, field: 'invoice' };
    await expect(second.pay()).rejects.toMatchObject(refusal);
    await expect(paypal.openCheckout(shopForm(listener))).rejects.toMatchObject(refusal);
  });

  test("send the buyer back to `return`, with PayPal's variables if the merchant uses auto-return, or to `cancel_return`", async () => {
    const plain = await paypal.pay(shopForm(listener));
    expect(plain.returnUrl).toBe('http://localhost:3000/received-payment/1');
    await paypal.setUpMerchant({ email: 'shop@example.com', autoReturn: true });
    const { payment, returnUrl } = await paypal.pay(shopForm(listener));
    expect(Object.fromEntries(new URL(returnUrl!).searchParams)).toEqual({
      tx: payment.transactionId,
      st: 'Completed',
      amt: '49.00',
      cc: 'USD',
      cm: 'attempt-1',
      item_number: '1',
    });
    const checkout = await paypal.openCheckout(shopForm(listener));
    expect(checkout.cancelUrl).toBe('http://localhost:3000/order-cancelled/1');
  });

  describe('looked up by PDT', () => {
    const askPdt = async (tx: string, at: string) => {
      const response = await fetch(`${paypal.url}/cgi-bin/webscr`, {
        method: 'POST',
        body: new URLSearchParams({ cmd: '_notify-synch', tx, at }),
      });
      return (await response.text()).split('\n');
    };

    test("are returned as lines, with the current status, if the token is the merchant's own", async () => {
      const { pdtToken } = await paypal.setUpMerchant({ email: 'shop@example.com', pdtToken: 'shop-token' });
      const { payment } = await paypal.pay(shopForm(listener), { buyer: { firstName: 'Zoë' } });
      const lines = await askPdt(payment.transactionId, pdtToken!);
      expect(lines[0]).toBe('SUCCESS');
      expect(lines).toEqual(
        expect.arrayContaining(['mc_gross=49.00', 'first_name=Zo%EB', 'payment_status=Completed']),
      );
      expect(lines.join('\n')).not.toMatch(/verify_sign|notify_version|ipn_track_id/);
      await paypal.refund(payment.transactionId);
      expect(await askPdt(payment.transactionId, pdtToken!)).toContain('payment_status=Refunded');
    });

    test('are not returned for another token or an unknown transaction', async () => {
      await paypal.setUpMerchant({ email: 'shop@example.com', pdtToken: 'shop-token' });
      await paypal.setUpMerchant({ email: 'other@example.com', pdtToken: 'other-token' });
      const { payment } = await paypal.pay(shopForm(listener));
      const another = await paypal.pay(shopForm(listener, { business: 'without-token@example.com' }));
      for (const token of ['', 'other-token'])
        for (const { transactionId } of [payment, another.payment])
          expect(await askPdt(transactionId, token)).toEqual(['FAIL', 'Error: 4003', '']);
      expect(await askPdt('0'.repeat(17), 'shop-token')).toEqual(['FAIL', 'Error: 4002', '']);
      expect((await askPdt(payment.transactionId, 'shop-token'))[0]).toBe('SUCCESS');
    });
  });
});
