import { z } from 'zod';
import { command } from './contract.js';
import { paymentProvider } from './payment-providers/payment-providers.js';

/** What takes the buyer to the provider's checkout: a form that the browser posts, or, without fields, an address that it opens. */
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
  /**
   * Starts a payment attempt for one of the caller's own orders: stores receiver, amount and currency as they are now, and returns what Pay
   * Now opens. NOT_FOUND, NOT_PAYABLE (also while no account receives payments), ALREADY_PAID.
   */
  startAttempt: command({
    pattern: 'orders.startPayment',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: checkoutForm,
  }),
  /**
   * The customer came back from the checkout. Asks the provider about the transaction `tx`, where the provider offers that, and returns what
   * is known of the payment. NOT_FOUND.
   */
  returned: command({
    pattern: 'orders.returned',
    access: 'customer',
    input: z.object({ id: z.string(), tx: z.string().max(64).optional() }),
    output: z.object({ outlook: paymentOutlook }),
  }),
  /**
   * Stores a payment notification, which may then be acknowledged; it is verified later. `stored` is false for a notification that is not
   * the first of its payment attempt and comes from a network over its limit. OVERLOADED when too many wait.
   */
  receiveNotification: command({
    pattern: 'orders.receiveNotice',
    access: 'public',
    input: z.object({
      /** Gateways of earlier versions do not send it: they receive notifications from one provider. */
      provider: z.string().default(paymentProvider.name),
      /** The received bytes in base64. */
      body: z.base64().max(88_000),
      contentType: z.string().max(200),
      /** The network of the client has sent more than its limit allows. */
      networkOverLimit: z.boolean(),
    }),
    output: z.object({ stored: z.boolean() }),
  }),
} as const;
