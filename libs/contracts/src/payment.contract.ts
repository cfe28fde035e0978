import { z } from 'zod';
import { created } from './answers.js';
import { command, event } from './contract.js';
import { grouped, relay, relayedIn } from './operation.js';
import { paymentProvider } from './payment-providers/payment-providers.js';
import { adminsIdempotent, adminsOnly, signedInOnly, type Policy } from './policy.js';
import { writtenLine } from './text.js';

/** Takes the buyer to the provider's checkout: a form that the browser posts, or, without fields, an address that it opens. */
export const checkoutForm = z.object({
  action: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type CheckoutForm = z.infer<typeof checkoutForm>;

/** The known state of the payment when the customer returns from the checkout. */
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

/** A transaction id of any provider. It is safe in the path of a URL. */
const transactionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a transaction id');

const amount = z
  .string()
  .regex(/^\d{1,7}\.\d\d$/, 'must be an amount like 10.00')
  .refine((text) => Number(text) > 0, 'must be more than 0.00');

/** A refund that an admin has requested. */
const refund = z.object({
  _id: z.string(),
  /** The transaction of the payment. */
  txnId: z.string(),
  /** In dollars with two decimals. */
  amount: z.string(),
  reason: z.string(),
  /** The e-mail address of the admin. */
  requestedBy: z.string(),
  requestedAt: z.string(),
  /**
   * `requested`: the provider has not answered yet. `accepted`: it has agreed to refund; the payment's `refunded` includes the amount once it has
   * also reported the refund.
   */
  state: z.enum(['requested', 'accepted', 'refused']),
  /** Why the provider refused it. */
  problem: z.string().nullable(),
});
export type Refund = z.infer<typeof refund>;

const orderRefunds = z.object({
  /** The payments that can be refunded here, and how much of each. */
  refundable: z.array(z.object({ txnId: z.string(), amount: z.string() })),
  /** Oldest first. */
  refunds: z.array(refund),
});
export type OrderRefunds = z.infer<typeof orderRefunds>;

const payers: Policy = { ...signedInOnly, idempotent: true, limit: 'payments' };

export const paymentOperations = grouped('Payments', {
  /** Records receiver, amount and currency as they are now. Throws NOT_PAYABLE also while no account receives payments. */
  startPayment: relay({
    at: 'POST /order/:id/payment',
    pattern: 'orders.startPayment',
    summary: 'Start paying one of your orders: the form to post to the checkout',
    policy: payers,
    status: 201,
    answer: checkoutForm.meta({ id: 'CheckoutForm' }),
    failures: ['ALREADY_PAID', 'NOT_PAYABLE'],
  }),
  /** If there may be something new, asks the provider first: about the checkout or, if the provider has created none, about the transaction `tx`. */
  returnFromPayment: relay({
    at: 'POST /order/:id/payment-return',
    pattern: 'orders.returned',
    summary: `What is known of the payment when the buyer returns; \`tx\` is what ${paymentProvider.label} added to the address`,
    policy: payers,
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
        /** The customer reads it, here and at the provider. */
        reason: writtenLine(200),
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
   * Stores a payment notification, which may then be acknowledged; it is verified later. `stored` is false for a doubtful notification from a
   * network over its limit: one about no payment attempt of ours, or about an attempt that already has waiting or forged notifications.
   * Throws OVERLOADED when too many wait. The pattern is an older name, which gateways of the previous version call during an upgrade.
   */
  receiveNotification: command({
    pattern: 'orders.receiveNotice',
    access: 'public',
    input: z.object({
      provider: z.string(),
      /** The received bytes in base64. */
      body: z.base64().max(88_000),
      contentType: z.string().max(200),
      /** Those that the provider's facts list. */
      headers: z.record(z.string(), z.string().max(2_000)),
      /** The network of the client has sent more than its limit allows. */
      networkOverLimit: z.boolean(),
    }),
    output: z.object({ stored: z.boolean() }),
  }),
} as const;

/** The account that receives payments was set or changed by a person. */
export const paymentReceiverChanged = event(
  'payments.receiverChanged',
  z.object({
    /** How the provider names the account, for example its e-mail address. */
    receiver: z.string(),
    /** Null if there was none. */
    formerReceiver: z.string().nullable(),
    /** The address of the admin who did it. */
    by: z.string(),
  }),
);
