import { z } from 'zod';
import { checkoutForm, paymentOutlook } from '#libs/contracts';
import type { Policy } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'Payments';
const customersOnce: Policy = {
  access: 'customer',
  session: 'required',
  idempotent: true,
  limit: 'payments',
};

export const startPaymentEndpoint: Endpoint = {
  method: 'POST',
  path: '/order/:id/payment',
  policy: customersOnce,
  operationId: 'startPayment',
  summary: 'Start paying an own order: the form to post to the checkout',
  group,
  status: 201,
  answer: checkoutForm.meta({ id: 'CheckoutForm' }),
  failures: ['NOT_FOUND', 'ALREADY_PAID', 'NOT_PAYABLE', 'IDEMPOTENCY_KEY_REUSED'],
};

export const paymentReturnEndpoint: Endpoint = {
  method: 'POST',
  path: '/order/:id/payment-return',
  policy: customersOnce,
  operationId: 'returnFromPayment',
  summary: 'What is known of the payment when the buyer comes back; `tx` is what PayPal added to the address',
  group,
  body: z
    .strictObject({
      tx: z
        .string()
        .regex(/^[A-Za-z0-9]{1,64}$/, 'must be a transaction id')
        .optional(),
    })
    .meta({ id: 'PaymentReturn' }),
  status: 200,
  answer: z.object({ outlook: paymentOutlook }).meta({ id: 'PaymentOutlook' }),
  failures: ['INVALID_INPUT', 'NOT_FOUND'],
};

export const receiveNoticeEndpoint: Endpoint = {
  method: 'POST',
  path: '/paypal/ipn',
  // The limit for a network is the handler's to apply: it does not hold for the first notification of a payment attempt.
  policy: { access: 'public', session: 'ignored' },
  operationId: 'receivePaypalNotice',
  summary: 'PayPal tells of a payment (IPN); anything but 200 makes it tell again',
  group,
  rawBody: { maxBytes: 64 * 1024 },
  status: 200,
  answer: z.undefined(),
  failures: ['RATE_LIMITED', 'OVERLOADED'],
};

export const paymentEndpoints: readonly Endpoint[] = [
  startPaymentEndpoint,
  paymentReturnEndpoint,
  receiveNoticeEndpoint,
];
