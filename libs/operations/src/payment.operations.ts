import { z } from 'zod';
import { checkoutForm, paymentContract as contract, paymentOutlook } from '#libs/contracts';
import { grouped, operation, output, relay } from './operation.js';
import { customersOnly, openToAll, type Policy } from './policy.js';

const payers: Policy = { ...customersOnly, idempotent: true, limit: 'payments' };

export const paymentOperations = grouped('Payments', {
  start: relay({
    at: 'POST /order/:id/payment',
    id: 'startPayment',
    summary: 'Start paying one of your orders: the form to post to the checkout',
    policy: payers,
    status: 201,
    failures: ['NOT_FOUND', 'ALREADY_PAID', 'NOT_PAYABLE'],
    to: output(contract.startAttempt, checkoutForm.meta({ id: 'CheckoutForm' })),
  }),
  returned: relay({
    at: 'POST /order/:id/payment-return',
    id: 'returnFromPayment',
    summary: 'What is known of the payment when the buyer returns; `tx` is what PayPal added to the address',
    policy: payers,
    body: z
      .strictObject({
        tx: z
          .string()
          .regex(/^[A-Za-z0-9]{1,64}$/, 'must be a transaction id')
          .optional(),
      })
      .meta({ id: 'PaymentReturn' }),
    failures: ['NOT_FOUND'],
    to: output(contract.returned, z.object({ outlook: paymentOutlook }).meta({ id: 'PaymentOutlook' })),
  }),
  receiveNotification: operation({
    at: 'POST /paypal/ipn',
    id: 'receivePaypalNotice',
    summary: 'Receive a payment notification (IPN) from PayPal, which repeats it until the answer is 200',
    // The handler applies the limit per network, which does not hold for the first notification of a payment attempt.
    policy: openToAll,
    rawBody: { maxBytes: 64 * 1024 },
    answer: z.undefined(),
    failures: ['RATE_LIMITED', 'OVERLOADED'],
  }),
});
