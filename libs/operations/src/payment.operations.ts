import { z } from 'zod';
import { checkoutForm, paymentContract as contract, paymentOutlook, paymentProvider } from '#libs/contracts';
import { grouped, output, relay } from './operation.js';
import { customersOnly, type Policy } from './policy.js';

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
    summary: `What is known of the payment when the buyer returns; \`tx\` is what ${paymentProvider.label} added to the address`,
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
});
