import { z } from 'zod';
import { command, query } from './contract.js';
import { emailAddress } from './identity.contract.js';

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

export const paymentContract = {
  /** Zero or one. */
  listPaypalEmail: query({
    pattern: 'orders.listPaypalEmail',
    access: 'customer',
    input: z.object({}),
    output: z.array(paypalEmail),
  }),
  /** NOT_FOUND. */
  paypalEmail: query({
    pattern: 'orders.paypalEmail',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: paypalEmail,
  }),
  /** SINGLETON_EXISTS. */
  addPaypalEmail: command({
    pattern: 'orders.addPaypalEmail',
    access: 'admin',
    fresh: true,
    input: paypalEmailInput,
    output: paypalEmail,
  }),
  /** NOT_FOUND, VERSION_MISMATCH. */
  updatePaypalEmail: command({
    pattern: 'orders.updatePaypalEmail',
    access: 'admin',
    fresh: true,
    input: paypalEmailInput.extend({ id: z.string(), ifVersion: z.int().optional() }),
    output: z.object({ record: paypalEmail, modified: z.boolean() }),
  }),
  /**
   * Starts a payment attempt: snapshots receiver, amount and currency, and gives the form that Pay Now posts. Own orders only.
   * NOT_FOUND, NOT_PAYABLE (also while there is no PayPal e-mail), ALREADY_PAID.
   */
  startAttempt: command({
    pattern: 'orders.startPayment',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: checkoutForm,
  }),
  /**
   * The customer came back. With `tx` and a configured PDT token PayPal is asked about that transaction; without, it says what is
   * known. NOT_FOUND.
   */
  returned: command({
    pattern: 'orders.returned',
    access: 'customer',
    input: z.object({ id: z.string(), tx: z.string().max(64).optional() }),
    output: z.object({ outlook: paymentOutlook }),
  }),
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
