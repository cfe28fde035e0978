import { z } from 'zod';
import { created, updated } from './answers.js';
import { command } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { updateBody } from './inputs.js';
import { grouped, operation, relay, relayedIn } from './operation.js';
import { adminsOnce, adminsOnly, customersOnly, openToAll, type Policy } from './policy.js';

/** Where customers' money goes. A singleton. */
export const paypalEmail = z.object({
  _id: z.string(),
  paypalEmail: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type PaypalEmail = z.infer<typeof paypalEmail>;

/** The body of `POST /add-email` and `PUT /paypal-email/{id}`. PayPal takes at most 127 characters. */
export const paypalEmailInput = z.strictObject({ paypalEmail: emailAddress.pipe(z.string().max(127)) });

/** A form that the browser posts to the provider's checkout. */
export const checkoutForm = z.object({
  action: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type CheckoutForm = z.infer<typeof checkoutForm>;

/** What is known when the customer comes back from the checkout. */
export const paymentOutlook = z.enum([
  'confirming',
  'paid',
  'pending',
  'under_review',
  'failed',
  'cancelled',
  'unpaid',
]);
export type PaymentOutlook = z.infer<typeof paymentOutlook>;

const record = paypalEmail.meta({ id: 'PaypalEmail' });

export const paypalEmailOperations = grouped('PayPal e-mail', {
  listPaypalEmail: relay({
    at: 'GET /paypal-email',
    pattern: 'orders.listPaypalEmail',
    summary: 'The account that receives payments, as a list of at most one',
    policy: customersOnly,
    answer: z.array(record),
  }),
  paypalEmail: relay({
    at: 'GET /paypal-email/:id',
    id: 'getPaypalEmail',
    pattern: 'orders.paypalEmail',
    summary: 'The account that receives payments',
    policy: customersOnly,
    answer: record,
  }),
  addPaypalEmail: relay({
    at: 'POST /add-email',
    id: 'createPaypalEmail',
    pattern: 'orders.addPaypalEmail',
    summary: 'Set the account that receives payments, if none is set',
    policy: { ...adminsOnce, fresh: true },
    body: paypalEmailInput.meta({ id: 'PaypalEmailCreate' }),
    answer: created(paypalEmail),
    failures: ['SINGLETON_EXISTS'],
  }),
  updatePaypalEmail: relay({
    at: 'PUT /paypal-email/:id',
    pattern: 'orders.updatePaypalEmail',
    summary: 'Change the account that receives payments; payments under way keep the previous one',
    policy: { ...adminsOnly, fresh: true },
    body: updateBody('PaypalEmailUpdate', paypalEmailInput.shape),
    versioned: true,
    answer: updated(paypalEmail),
  }),
});

const payers: Policy = { ...customersOnly, idempotent: true, limit: 'payments' };

export const paymentOperations = grouped('Payments', {
  /** Records receiver, amount and currency. NOT_PAYABLE also while there is no PayPal e-mail. */
  startAttempt: relay({
    at: 'POST /order/:id/payment',
    pattern: 'orders.startPayment',
    summary: 'Start paying one of your orders: the form to post to the checkout',
    policy: payers,
    status: 201,
    answer: checkoutForm.meta({ id: 'CheckoutForm' }),
    failures: ['ALREADY_PAID', 'NOT_PAYABLE'],
  }),
  /** With `tx` and a configured PDT token, PayPal is asked about that transaction. */
  returned: relay({
    at: 'POST /order/:id/payment-return',
    id: 'returnFromPayment',
    pattern: 'orders.returned',
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
    answer: z.object({ outlook: paymentOutlook }).meta({ id: 'PaymentOutlook' }),
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

export const paymentContract = {
  ...relayedIn(paypalEmailOperations),
  ...relayedIn(paymentOperations),
  /**
   * A notification of PayPal (IPN) arrived. Once it is stored it may be acknowledged; it is verified later. `body` is the received bytes in
   * base64. OVERLOADED when too many wait.
   *
   * `networkOverLimit`: the client's network has sent too many. Then only the first notification of a payment attempt is stored; false for
   * all others.
   */
  receiveNotice: command({
    pattern: 'orders.receiveNotice',
    access: 'public',
    input: z.object({
      body: z.base64().max(88_000),
      contentType: z.string().max(200),
      networkOverLimit: z.boolean(),
    }),
    output: z.object({ stored: z.boolean() }),
  }),
} as const;
