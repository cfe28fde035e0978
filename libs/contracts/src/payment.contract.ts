import { z } from 'zod';
import { created } from './answers.js';
import { command, event } from './contract.js';
import { grouped, relay, relayedIn } from './operation.js';
import { paymentProvider } from './payment-providers/payment-providers.js';
import { adminsIdempotent, adminsOnly, paymentPolicy } from './policy.js';
import { requiredLine } from './text.js';

/** The browser posts this form to the provider's checkout. Without fields, it opens the address `action`. */
export const checkoutForm = z.object({
  action: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type CheckoutForm = z.infer<typeof checkoutForm>;

/** What is known of the payment when the customer returns from the checkout. */
const paymentOutlook = z.enum([
  'confirming',
  'paid',
  'pending',
  'under_review',
  'failed',
  'cancelled',
  'unpaid',
]);
export type PaymentOutlook = z.infer<typeof paymentOutlook>;

/** Of any provider; safe in the path of a URL. */
const transactionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a transaction id');

const amount = z
  .string()
  .regex(/^\d{1,7}\.\d\d$/, 'must be an amount like 10.00')
  .refine((text) => Number(text) > 0, 'must be more than 0.00');

const refund = z.object({
  _id: z.string(),
  txnId: z.string(),
  /** In dollars with two decimals. */
  amount: z.string(),
  reason: z.string(),
  /** An admin's e-mail address. */
  requestedBy: z.string(),
  requestedAt: z.string(),
  /**
   * `requested`: the provider has not answered yet. `accepted`: the provider has agreed; once it reports the refund, the payment's `refunded`
   * includes the amount.
   */
  state: z.enum(['requested', 'accepted', 'refused']),
  /** Why the provider refused. */
  problem: z.string().nullable(),
});
export type Refund = z.infer<typeof refund>;

const orderRefunds = z.object({
  /** Payments with the amount that can still be refunded here. */
  refundable: z.array(z.object({ txnId: z.string(), amount: z.string() })),
  refunds: z.array(refund),
});
export type OrderRefunds = z.infer<typeof orderRefunds>;

export const paymentOperations = grouped('Payments', {
  /**
   * Records receiver, amount and currency as they are now. Throws NOT_PAYABLE also while no receiver is set, and if the provider refuses. Throws
   * UNAVAILABLE if the provider does not answer.
   */
  startPayment: relay({
    at: 'POST /order/:id/payment',
    pattern: 'orders.startPayment',
    summary:
      'Start paying one of your orders. Post the returned form to the checkout or, if it has no fields, open its address',
    policy: paymentPolicy,
    status: 201,
    answer: checkoutForm.meta({ id: 'CheckoutForm' }),
    failures: ['ALREADY_PAID', 'NOT_PAYABLE'],
  }),
  /**
   * First asks the provider about checkouts whose outcome is not known. If there is none, and the provider has created no checkout for the newest
   * payment attempt, asks about the transaction `tx` unless it is recorded already.
   */
  returnFromPayment: relay({
    at: 'POST /order/:id/payment-return',
    pattern: 'orders.returned',
    summary: `What is known of the payment when the buyer returns; \`tx\` is what ${paymentProvider.label} added to the address`,
    policy: paymentPolicy,
    body: z.strictObject({ tx: transactionId.optional() }).meta({ id: 'PaymentReturn' }),
    answer: z.object({ outlook: paymentOutlook }).meta({ id: 'PaymentOutlook' }),
  }),
  listRefunds: relay({
    at: 'GET /order/:id/refunds',
    pattern: 'orders.refunds',
    summary: 'The refunds that admins have requested for an order, and what can still be refunded here',
    policy: adminsOnly,
    answer: orderRefunds.meta({ id: 'OrderRefunds' }),
  }),
  /** Throws INVALID_TRANSITION for more than is left, for a payment that cannot be refunded here, and after 100 refunds of the order. */
  requestRefund: relay({
    at: 'POST /order/:id/refund',
    pattern: 'orders.requestRefund',
    summary: 'Refund a payment of an order, wholly or in part',
    policy: adminsIdempotent,
    body: z
      .strictObject({
        txnId: transactionId,
        amount,
        /** The customer reads it. */
        reason: requiredLine(200),
      })
      .meta({
        id: 'RefundRequest',
        examples: [{ txnId: '2GG279541U471931P', amount: '49.00', reason: 'One week was not delivered.' }],
      }),
    answer: created(refund),
    failures: ['INVALID_TRANSITION'],
  }),
});

export const paymentContract = {
  ...relayedIn(paymentOperations),
  /**
   * Once stored, the notification can be acknowledged; it is verified later. A notification is doubtful if it belongs to no payment attempt of ours,
   * or if other notifications of its attempt wait, were forged or arrive at the same time. `stored` is false if a doubtful one comes from a network
   * over its limit. Throws OVERLOADED when too many wait. The pattern keeps its older name, because gateways of the previous version call it.
   */
  receiveNotification: command({
    pattern: 'orders.receiveNotice',
    access: 'public',
    input: z.object({
      provider: z.string(),
      /** The received bytes in base64. */
      body: z.base64().max(88_000),
      contentType: z.string().max(200),
      /** Those that the provider's `notificationCall` lists. */
      headers: z.record(z.string(), z.string().max(2_000)),
      networkOverLimit: z.boolean(),
    }),
    output: z.object({ stored: z.boolean() }),
  }),
} as const;

export const paymentReceiverChanged = event(
  'payments.receiverChanged',
  z.object({
    /** In the provider's terms, e.g. an e-mail address. */
    receiver: z.string(),
    formerReceiver: z.string().nullable(),
    /** An admin's address. */
    by: z.string(),
  }),
);
