import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PayPalSimulator } from '../client.js';
import type { RestApp } from '../model.js';
import { orderBody, RestClient } from './test/rest-client.js';

const hour = 3_600_000;

describe('the REST API', () => {
  let paypal: PayPalSimulator;
  let app: RestApp;
  let shop: RestClient;
  beforeEach(async () => {
    paypal = await PayPalSimulator.start({ clock: 'frozen' });
    app = await paypal.setUpApp();
    shop = new RestClient(paypal.url, app);
  });
  afterEach(() => paypal.stop());

  let requests = 0;
  const create = async (overrides?: object, unit?: object) =>
    (
      await shop.post('/v2/checkout/orders', {
        body: orderBody(overrides, unit),
        requestId: `r${++requests}`,
      })
    ).body.id as string;
  const capture = (id: string, requestId = `r${++requests}`) =>
    shop.post(`/v2/checkout/orders/${id}/capture`, { requestId });
  const issueOf = ({ body }: { body: { details: { issue: string }[] } }) => body.details[0]!.issue;
  const captureOf = (answer: { body: { purchase_units: { payments: { captures: { id: string }[] } }[] } }) =>
    answer.body.purchase_units[0]!.payments.captures[0]!;

  describe('tokens', () => {
    test('are issued to an app with the right secret', async () => {
      const { status, body, headers } = await shop.signIn();
      expect(status).toBe(200);
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 32_400 });
      expect(headers.get('paypal-debug-id')).toMatch(/^[0-9a-f]{13}$/);
    });

    test('are refused for a wrong secret or another grant type', async () => {
      const wrongClient = new RestClient(paypal.url, { clientId: app.clientId, secret: 'wrong' });
      expect(await wrongClient.signIn()).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(await shop.signIn('password')).toMatchObject({
        status: 400,
        body: { error: 'unsupported_grant_type' },
      });
    });

    test('expire, can be revoked, and are required', async () => {
      const id = await create();
      const read = () => shop.get(`/v2/checkout/orders/${id}`);
      expect((await read()).status).toBe(200);
      await paypal.advanceClock(9 * hour);
      expect(await read()).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      await shop.signIn();
      await paypal.revokeTokens();
      expect((await read()).status).toBe(401);
      expect(
        await shop.call('GET', '/v2/checkout/orders/X', { headers: { authorization: '' } }),
      ).toMatchObject({
        status: 401,
        body: { name: 'AUTHENTICATION_FAILURE' },
      });
    });
  });

  describe('an order', () => {
    test('is created with the status PAYER_ACTION_REQUIRED, and contains what was requested', async () => {
      const answer = await shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'one' });
      expect(answer.status).toBe(201);
      const { id, status, links } = answer.body;
      expect(status).toBe('PAYER_ACTION_REQUIRED');
      expect(links).toContainEqual({
        href: `${paypal.url}/checkoutnow?token=${id}`,
        rel: 'payer-action',
        method: 'GET',
      });
      expect((await shop.get(`/v2/checkout/orders/${id}`)).body).toMatchObject({
        intent: 'CAPTURE',
        purchase_units: [
          {
            reference_id: 'default',
            amount: { currency_code: 'USD', value: '49.00' },
            custom_id: 'attempt-1',
            invoice_id: '1042',
            payee: { merchant_id: app.merchantId, email_address: app.email },
          },
        ],
      });
    });

    test('without a payment source is CREATED, with links to approve and capture it', async () => {
      const { payment_source: source, ...rest } = orderBody();
      const body = { ...rest, application_context: source.paypal.experience_context };
      const answer = await shop.post('/v2/checkout/orders', { body, prefer: true });
      expect(answer.body.status).toBe('CREATED');
      expect(answer.body.links.map(({ rel }: { rel: string }) => rel)).toEqual([
        'self',
        'approve',
        'update',
        'capture',
      ]);
    });

    test.each<[string, object, object, number, string]>([
      ['no intent', { intent: undefined }, {}, 400, 'MISSING_REQUIRED_PARAMETER'],
      ['no purchase unit', { purchase_units: [] }, {}, 400, 'INVALID_ARRAY_MIN_ITEMS'],
      ['no amount', {}, { amount: undefined }, 400, 'MISSING_REQUIRED_PARAMETER'],
      [
        'an amount with three decimals',
        {},
        { amount: { currency_code: 'USD', value: '1.001' } },
        422,
        'DECIMAL_PRECISION',
      ],
      [
        'an amount in words',
        {},
        { amount: { currency_code: 'USD', value: 'ten' } },
        400,
        'INVALID_PARAMETER_SYNTAX',
      ],
      [
        'an amount of zero',
        {},
        { amount: { currency_code: 'USD', value: '0' } },
        422,
        'CANNOT_BE_ZERO_OR_NEGATIVE',
      ],
      [
        'an amount with an exponent',
        {},
        { amount: { currency_code: 'USD', value: '1e7' } },
        400,
        'INVALID_PARAMETER_SYNTAX',
      ],
      [
        'too large an amount',
        {},
        { amount: { currency_code: 'USD', value: '10000000.00' } },
        422,
        'MAX_VALUE_EXCEEDED',
      ],
      [
        'an unknown currency',
        {},
        { amount: { currency_code: 'XTS', value: '1' } },
        422,
        'INVALID_CURRENCY_CODE',
      ],
      ['a long custom id', {}, { custom_id: 'x'.repeat(128) }, 400, 'INVALID_STRING_LENGTH'],
    ])('with %s is refused', async (_, overrides, unit, status, issue) => {
      const answer = await shop.post('/v2/checkout/orders', {
        body: orderBody(overrides, unit),
        requestId: 'x',
      });
      expect([answer.status, issueOf(answer)]).toEqual([status, issue]);
    });

    test('with a body that is not JSON, or with a payment source but no request id, is refused', async () => {
      expect(issueOf(await shop.post('/v2/checkout/orders', { body: '{' }))).toBe('MALFORMED_REQUEST_JSON');
      expect(issueOf(await shop.post('/v2/checkout/orders', { body: orderBody() }))).toBe(
        'PAYPAL_REQUEST_ID_REQUIRED',
      );
    });

    test('is made once for one request id', async () => {
      const createWithSameId = () =>
        shop.post('/v2/checkout/orders', { body: orderBody(), requestId: 'same' });
      const [first, second] = [await createWithSameId(), await createWithSameId()];
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.body).toEqual(first.body);
    });

    test('of another merchant is not found', async () => {
      const id = await create();
      const otherShop = new RestClient(paypal.url, await paypal.setUpApp());
      const answer = await otherShop.get(`/v2/checkout/orders/${id}`);
      expect([answer.status, answer.body.name, issueOf(answer)]).toEqual([
        404,
        'RESOURCE_NOT_FOUND',
        'INVALID_RESOURCE_ID',
      ]);
      expect((await otherShop.post(`/v2/checkout/orders/${id}/capture`)).status).toBe(404);
    });

    test('expires after three hours without an approval', async () => {
      const id = await create();
      await paypal.advanceClock(3 * hour);
      expect((await shop.get(`/v2/checkout/orders/${id}`)).status).toBe(200);
      await paypal.advanceClock(1);
      expect((await shop.get(`/v2/checkout/orders/${id}`)).status).toBe(404);
      await expect(paypal.approveOrder(id)).rejects.toMatchObject({ status: 404 });
    });
  });

  describe('a capture', () => {
    test('needs an approval', async () => {
      const id = await create();
      expect(issueOf(await capture(id))).toBe('ORDER_NOT_APPROVED');
      const { returnUrl } = await paypal.approveOrder(id);
      const back = new URL(returnUrl!);
      expect(back.searchParams.get('token')).toBe(id);
      const { body } = await shop.get(`/v2/checkout/orders/${id}`);
      expect(body).toMatchObject({
        status: 'APPROVED',
        payer: { payer_id: back.searchParams.get('PayerID') },
      });
      expect((await capture(id)).body).toMatchObject({
        status: 'COMPLETED',
        purchase_units: [
          {
            payments: {
              captures: [
                {
                  status: 'COMPLETED',
                  amount: { currency_code: 'USD', value: '49.00' },
                  final_capture: true,
                  custom_id: 'attempt-1',
                  invoice_id: '1042',
                  seller_receivable_breakdown: {
                    paypal_fee: { value: '1.72' },
                    net_amount: { value: '47.28' },
                  },
                },
              ],
            },
          },
        ],
      });
    });

    test('is a payment in the ledger, like those of Payments Standard', async () => {
      const id = await create();
      await paypal.approveOrder(id, { buyer: { firstName: 'Zoë' } });
      const { id: captureId } = captureOf(await capture(id));
      await paypal.pay({ business: app.email, amount: '49.00', item_name: 'Basic', invoice: '1042' });
      const { payments } = await paypal.ledger({ invoice: '1042' });
      expect(payments).toMatchObject([
        { transactionId: captureId, orderId: id, custom: 'attempt-1', buyer: { firstName: 'Zoë' } },
        { orderId: null, merchant: { id: app.merchantId } },
      ]);
      expect(await paypal.ledger({ orderId: id })).toMatchObject({ total: 1 });
    });

    test('happens once, even if it is repeated at the same time, with another request id, or after the request id has expired', async () => {
      const id = await create();
      await paypal.approveOrder(id);
      const answers = await Promise.all([capture(id, 'c'), capture(id, 'c')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
      expect(answers[0].body).toEqual(answers[1].body);
      const repeated = await capture(id, 'another');
      expect([repeated.status, issueOf(repeated)]).toEqual([422, 'ORDER_ALREADY_CAPTURED']);
      await paypal.advanceClock(7 * hour);
      expect(issueOf(await capture(id, 'c'))).toBe('ORDER_ALREADY_CAPTURED');
      expect((await paypal.ledger()).total).toBe(1);
    });

    test('of a declined card is refused, and the buyer can choose again', async () => {
      const id = await create();
      await paypal.approveOrder(id, { with: 'declined' });
      const answer = await capture(id, 'c');
      expect([answer.status, issueOf(answer)]).toEqual([422, 'INSTRUMENT_DECLINED']);
      expect(answer.body.links).toContainEqual(expect.objectContaining({ rel: 'payer-action' }));
      await paypal.approveOrder(id, { with: 'card' });
      expect((await capture(id, 'c')).status).toBe(201);
    });

    test.each([
      ['echeck', 'PENDING', 'ECHECK'],
      ['review', 'PENDING', 'PENDING_REVIEW'],
      ['refused', 'DECLINED', undefined],
    ] as const)('with the simulated payment method `%s` is %s', async (method, status, reason) => {
      const id = await create();
      await paypal.approveOrder(id, { with: method });
      const captured = captureOf(await capture(id)) as unknown as Record<string, unknown>;
      expect(captured).toMatchObject({ status });
      expect(captured.status_details).toEqual(reason && { reason });
      expect(captured).not.toHaveProperty('seller_receivable_breakdown');
    });

    test.each([
      ['a payment', 'balance', 'You have already paid'],
      ['a payment that is pending', 'echeck', 'You have already paid'],
      ['a refused payment', 'refused', 'Your payment was declined'],
    ] as const)('of %s is shown to a buyer who returns to the approval page', async (_, method, heading) => {
      const id = await create();
      await paypal.approveOrder(id, { with: method });
      await capture(id);
      const page = `${paypal.url}/checkoutnow?token=${id}`;
      const shown = await fetch(page);
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(heading)]);
      const submitted = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ method: 'card' }),
      });
      expect([submitted.status, await submitted.text()]).toEqual([409, expect.stringContaining(heading)]);
    });

    test('is refused for an invoice that is already paid if the merchant blocks duplicates', async () => {
      await paypal.setUpMerchant({ email: app.email, blocksDuplicateInvoices: true });
      const [firstId, secondId] = [await create(), await create()];
      await paypal.approveOrder(firstId);
      await paypal.approveOrder(secondId);
      await capture(firstId);
      expect(issueOf(await capture(secondId))).toBe('DUPLICATE_INVOICE_ID');
    });

    test('changes when it is settled or disputed', async () => {
      const id = await create();
      await paypal.approveOrder(id, { with: 'echeck' });
      const { id: captureId } = captureOf(await capture(id));
      const read = async () => (await shop.get(`/v2/payments/captures/${captureId}`)).body;
      await paypal.clearEcheck(captureId);
      expect(await read()).toMatchObject({
        status: 'COMPLETED',
        supplementary_data: { related_ids: { order_id: id } },
      });
      await paypal.dispute(captureId, 'opened');
      expect(await read()).toMatchObject({
        status: 'PENDING',
        status_details: { reason: 'BUYER_COMPLAINT' },
      });
      await paypal.dispute(captureId, 'won');
      expect((await read()).status).toBe('COMPLETED');
    });
  });

  describe('a refund', () => {
    let captureId: string;
    const refund = (body?: object, requestId?: string) =>
      shop.post(`/v2/payments/captures/${captureId}/refund`, {
        ...(body && { body }),
        prefer: true,
        ...(requestId !== undefined && { requestId }),
      });
    beforeEach(async () => {
      const id = await create();
      await paypal.approveOrder(id);
      captureId = captureOf(await capture(id)).id;
    });

    test('can return a part, and then the rest', async () => {
      const partial = await refund({
        amount: { currency_code: 'USD', value: '10.00' },
        note_to_payer: 'Sorry',
      });
      expect(partial).toMatchObject({
        status: 201,
        body: {
          status: 'COMPLETED',
          amount: { value: '10.00' },
          note_to_payer: 'Sorry',
          seller_payable_breakdown: { total_refunded_amount: { value: '10.00' } },
        },
      });
      expect((await shop.get(`/v2/payments/refunds/${partial.body.id}`)).body).toEqual(partial.body);
      expect((await shop.get(`/v2/payments/captures/${captureId}`)).body.status).toBe('PARTIALLY_REFUNDED');
      const remaining = await refund();
      expect(remaining.body.seller_payable_breakdown).toMatchObject({
        gross_amount: { value: '39.00' },
        total_refunded_amount: { value: '49.00' },
      });
      expect(issueOf(await refund())).toBe('CAPTURE_FULLY_REFUNDED');
      const { payments } = await paypal.ledger({ transactionId: captureId });
      expect(payments).toMatchObject([{ standing: 'Refunded', refunded: '49.00' }]);
      expect(payments[0]!.entries[1]).toMatchObject({ transactionId: partial.body.id, note: 'Sorry' });
    });

    test('is made once for one request id', async () => {
      const tenDollars = { amount: { currency_code: 'USD', value: '10.00' } };
      const [first, second] = [await refund(tenDollars, 'click'), await refund(tenDollars, 'click')];
      expect(second.body).toEqual(first.body);
      expect((await paypal.ledger()).payments[0]!.refunded).toBe('10.00');
    });

    test('of too much, in another currency, or by another merchant, is refused', async () => {
      expect(issueOf(await refund({ amount: { currency_code: 'USD', value: '49.01' } }))).toBe(
        'REFUND_AMOUNT_EXCEEDED',
      );
      expect(issueOf(await refund({ amount: { currency_code: 'EUR', value: '1.00' } }))).toBe(
        'REFUND_CAPTURE_CURRENCY_MISMATCH',
      );
      const otherShop = new RestClient(paypal.url, await paypal.setUpApp());
      expect((await otherShop.post(`/v2/payments/captures/${captureId}/refund`)).status).toBe(404);
      expect((await otherShop.get(`/v2/payments/captures/${captureId}`)).status).toBe(404);
    });

    test('of a disputed payment is refused', async () => {
      await paypal.dispute(captureId, 'opened');
      expect(issueOf(await refund())).toBe('TRANSACTION_DISPUTED');
    });

    test('by the control API changes the capture, too', async () => {
      await paypal.refund(captureId, '9.00');
      const { body } = await shop.get(`/v2/payments/captures/${captureId}`);
      expect(body.status).toBe('PARTIALLY_REFUNDED');
    });
  });
});
