import { z } from 'zod';
import { bulkOutcome, chosenIds } from './bulk.js';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { pageOf, pageRequest, searchText, sortDirection } from './paging.js';
import { writtenLine } from './text.js';

/** The three statuses of the specification. Derived from the payment state, cancellation and override. */
export const paymentStatus = z.enum(['UnPaid', 'Paid', 'Cancelled']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

export const orderStatus = z.enum(['Pending', 'Delivered']);
export type OrderStatus = z.infer<typeof orderStatus>;

/**
 * The state of the payment, in more detail than the specification's three statuses: `unpaid`; `pending` (the provider holds it, e.g. an
 * e-check); `failed` (can be paid again); `paid`; `partially_refunded`; `refunded`; `disputed` (reversed or charged back); `cancelled` (by the
 * customer, nothing received).
 */
export const paymentState = z.enum([
  'unpaid',
  'pending',
  'failed',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'cancelled',
]);
export type PaymentState = z.infer<typeof paymentState>;

/** An amount in dollars with two decimals, e.g. `"290.00"`. */
const dollars = z.string();

/** One transaction at a payment provider that belongs to the order. */
export const orderPayment = z.object({
  /** The provider's transaction id. */
  txnId: z.string(),
  state: z.enum(['pending', 'failed', 'received', 'partially_refunded', 'refunded', 'disputed']),
  amount: dollars,
  refunded: dollars,
  /** When it happened according to the provider, ISO 8601. */
  paidAt: z.string(),
});
export type OrderPayment = z.infer<typeof orderPayment>;

/**
 * Why an unpaid order must not be paid again: a payment may have been made that is not confirmed yet (`confirming`), or one does not count
 * until an admin has reviewed it (`under_review`).
 */
export const paymentHold = z.enum(['confirming', 'under_review']);
export type PaymentHold = z.infer<typeof paymentHold>;

/** Who cancelled an order. */
export const cancelledBy = z.enum(['customer', 'admin']);
export type CancelledBy = z.infer<typeof cancelledBy>;

/** Why an order has become Paid. */
export const paidReason = z.enum([
  /** The provider confirmed a payment. */
  'payment',
  /** The same, for an order that had been cancelled. */
  'payment_after_cancel',
  /** An admin said so. */
  'admin',
  /** A dispute was closed in the shop's favour. */
  'dispute_closed',
]);
export type PaidReason = z.infer<typeof paidReason>;

/** Why an admin should review an order. Cleared by an admin who has reviewed it. */
export const orderFlag = z.enum([
  /** A verified payment notification with the token of an attempt at this order failed a check (amount, currency, receiver, …). */
  'notice_held',
  /** Money came after the customer had cancelled. */
  'paid_after_cancel',
  /** Paid twice: one of the payments must be refunded at the provider. */
  'paid_twice',
  /** The provider and an admin's override disagree. */
  'override_disagrees',
  'refunded',
  /** Disputed or charged back, in full or in part. */
  'disputed',
  /** The provider has not verified a notification about this order for hours, or kept denying that it sent it. */
  'unverified',
  /** The buyer opened a case at the provider. No money has moved yet. */
  'case_opened',
  /** The provider keeps a payment pending until the shop accepts or denies it there, e.g. because of its currency. */
  'acceptance_needed',
  /** Money came for an order whose customer has deleted the account. */
  'account_deleted',
]);
export type OrderFlag = z.infer<typeof orderFlag>;

export const order = z.object({
  _id: z.string(),
  /** MM/DD/YYYY. */
  orderDate: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  packageName: z.string(),
  /** The package's price when it was ordered. It stays. */
  packagePrice: z.string(),
  paymentStatus,
  orderStatus,
  paymentState,
  payments: z.array(orderPayment),
  /** What went back to the customer, of all payments. */
  refunded: dollars,
  /** What disputes and chargebacks have taken, of all payments. */
  disputed: dollars,
  /** More than one payment has been received and kept. */
  paidTwice: z.boolean(),
  /** Null for an order that is not cancelled by a person. */
  cancelledBy: cancelledBy.nullable(),
  /** Null for a paid order. */
  paymentHold: paymentHold.nullable(),
  /** Pay Now makes sense: nothing received, nothing under way, not cancelled. Starting a payment obeys it. */
  payable: z.boolean(),
  /** Empty for customers. */
  flags: z.array(orderFlag),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type Order = z.infer<typeof order>;

/** The body of `POST /new-order`. */
export const orderInput = z.strictObject({
  packageName: writtenLine(10_000),
  /** As the customer saw it; compared as cents. */
  packagePrice: z
    .string({ error: 'is required' })
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be a price like 290.00'),
  customerEmail: emailAddress,
  customerName: writtenLine(300),
  customerAddress: writtenLine(1000),
  customerCountry: writtenLine(100),
  paymentStatus: z.literal('UnPaid').default('UnPaid'),
  orderStatus: z.literal('Pending').default('Pending'),
  /** Kept when it is within a day of the server's clock. */
  orderDate: z
    .string()
    .regex(/^\d{2}\/\d{2}\/\d{4}$/, 'must be a date like 11/21/2026')
    .optional(),
});
export type OrderInput = z.output<typeof orderInput>;

export const orderSort = z.enum(['orderDate', 'customerName', 'packagePrice']);

/** What happened to an order, oldest first. Customers get `at`, `kind` and `text`; admins the rest too. */
export const timelineEntry = z.object({
  _id: z.string(),
  at: z.string(),
  kind: z.enum([
    'placed',
    'attempt_started',
    /** An attempt has had no outcome for too long. */
    'attempt_unanswered',
    'notice_received',
    'payment',
    'notice_held',
    'cancelled',
    'payment_status_set',
    'order_status_set',
    'flag_cleared',
    'details_blanked',
  ]),
  /** One sentence for a person. */
  text: z.string(),
  /** Who did it: an e-mail address, the label of a payment provider, or null for the system. Admins only. */
  by: z.string().nullable(),
  /** Facts and checks, e.g. before and after, or fields of the payment notification. Admins only, else empty. */
  evidence: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** Totals over all orders for an admin, over the own ones for a customer. At most a second old. */
export const ordersSummary = z.object({
  orders: z.int(),
  /** Sum of packagePrice over Paid orders: Total Sales, or the customer's Total Spent. */
  totalSales: dollars,
  /** Refunds of all orders. */
  refunded: dollars,
  byPaymentStatus: z.record(paymentStatus, z.int()),
  byOrderStatus: z.record(orderStatus, z.int()),
  /** Orders with a flag; 0 for customers. */
  flagged: z.int(),
});
export type OrdersSummary = z.infer<typeof ordersSummary>;

/** A day of the calendar, YYYY-MM-DD. */
export const calendarDay = z.iso.date({ error: 'must be a day like 2026-11-21' });

export const salesPeriod = z.enum(['day', 'week', 'month']);
export type SalesPeriod = z.infer<typeof salesPeriod>;

/** The most periods of one answer, and the most packages that are named in it. */
export const salesPeriodsAtMost = 400;
export const salesPackagesAtMost = 12;

const sold = {
  /** However they stand. */
  orders: z.int(),
  /** Of those, Paid. */
  paid: z.int(),
  /** Sum of packagePrice over the Paid ones. */
  sales: dollars,
  /** Refunds of all of them. */
  refunded: dollars,
};

/** What was sold over time, by the day of the order. Exact, as the summary is. */
export const ordersSales = z.object({
  from: z.string(),
  to: z.string(),
  by: salesPeriod,
  ...sold,
  /** Without gaps, oldest first; `from` is the period's first day, a Monday or the first of a month, though it may lie before the range. */
  periods: z.array(z.object({ from: z.string(), ...sold })),
  /** Most sales first; those past the twelfth together, under null. */
  packages: z.array(z.object({ packageName: z.string().nullable(), ...sold })),
});
export type OrdersSales = z.infer<typeof ordersSales>;

/** How long orders have not been paid, youngest first. */
export const unpaidAge = z.object({
  /** Age in days, the last one included; null: or older. */
  fromDays: z.int(),
  toDays: z.int().nullable(),
  /** Days of the orders, for the list's filter. Null: from the first order on, or also of tomorrow, where the customer lives. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  orders: z.int(),
  amount: dollars,
});
export type UnpaidAge = z.infer<typeof unpaidAge>;

const chosen = z.object({ id: z.string(), ifVersion: z.int().optional() });
const changed = z.object({ record: order, modified: z.boolean() });

export const orderContract = {
  /**
   * INVALID_INPUT; FORBIDDEN for another person's e-mail address; PRICE_CHANGED (with the current price) for a price or a package that
   * is not on offer.
   */
  place: command({
    pattern: 'orders.place',
    access: 'customer',
    input: orderInput,
    output: order,
  }),
  /** The caller's own orders, all for an admin; newest first unless sorted. INVALID_INPUT for a cursor that is none. */
  list: query({
    pattern: 'orders.list',
    access: 'customer',
    input: pageRequest.extend({
      /** In name, e-mail address, package and id. */
      search: searchText.optional(),
      paymentStatus: paymentStatus.optional(),
      orderStatus: orderStatus.optional(),
      flagged: z.boolean().optional(),
      /** First and last day of the order. With either, and unsorted, the latest day is first. */
      from: calendarDay.optional(),
      to: calendarDay.optional(),
      /** An admin who asks for the own orders. */
      own: z.boolean().optional(),
      sort: orderSort.optional(),
      direction: sortDirection.default('desc'),
    }),
    output: pageOf(order),
  }),
  /** NOT_FOUND, also for another person's order. */
  order: query({
    pattern: 'orders.order',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: order,
  }),
  /** The same for notification e-mails, with the account that ordered. NOT_FOUND. */
  getForMail: query({
    pattern: 'orders.told',
    access: 'system',
    askedBy: ['messaging'],
    input: z.object({ id: z.string() }),
    output: order.extend({ accountId: z.string() }),
  }),
  /** NOT_FOUND. The newest 200 entries. */
  timeline: query({
    pattern: 'orders.timeline',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.array(timelineEntry),
  }),
  summary: query({
    pattern: 'orders.summary',
    access: 'customer',
    /** `own`: as in `list`. */
    input: z.object({ own: z.boolean().optional() }),
    output: ordersSummary,
  }),
  /** Of all orders. INVALID_INPUT for a range that ends before it begins, or has more periods than one answer holds. */
  sales: query({
    pattern: 'orders.sales',
    access: 'admin',
    input: z.object({ from: calendarDay, to: calendarDay, by: salesPeriod }),
    output: ordersSales,
  }),
  /** UnPaid orders by age: today and yesterday, this week, this month, older; in UTC. */
  unpaidAges: query({
    pattern: 'orders.unpaidAges',
    access: 'admin',
    input: z.object({}),
    output: z.array(unpaidAge),
  }),
  /** The documented admin override, recorded with who, when, before, after. NOT_FOUND, VERSION_MISMATCH. */
  setPaymentStatus: command({
    pattern: 'orders.setPaymentStatus',
    access: 'admin',
    input: chosen.extend({ paymentStatus: paymentStatus.exclude(['Cancelled']) }),
    output: changed,
  }),
  /** NOT_FOUND, VERSION_MISMATCH. */
  setOrderStatus: command({
    pattern: 'orders.setOrderStatus',
    access: 'admin',
    input: chosen.extend({ orderStatus }),
    output: changed,
  }),
  /** Of each: NOT_FOUND, INVALID_TRANSITION for a cancelled one, which is looked at by itself. */
  setPaymentStatuses: command({
    pattern: 'orders.setPaymentStatuses',
    access: 'admin',
    input: z.object({ ids: chosenIds, paymentStatus: paymentStatus.exclude(['Cancelled']) }),
    output: bulkOutcome,
  }),
  /** Of each: NOT_FOUND, INVALID_TRANSITION for a cancelled one that would be delivered. */
  setOrderStatuses: command({
    pattern: 'orders.setOrderStatuses',
    access: 'admin',
    input: z.object({ ids: chosenIds, orderStatus }),
    output: bulkOutcome,
  }),
  /** UnPaid to Cancelled. NOT_FOUND, VERSION_MISMATCH, ALREADY_PAID. Cancelling what is cancelled changes nothing. */
  cancel: command({ pattern: 'orders.cancel', access: 'customer', input: chosen, output: changed }),
  /** Clears the flags after a review; the timeline keeps them. NOT_FOUND, VERSION_MISMATCH. */
  clearFlags: command({ pattern: 'orders.clearFlags', access: 'admin', input: chosen, output: changed }),
} as const;

const happened = { orderId: z.string(), accountId: z.string(), version: z.int() };
export const orderPlaced = event('orders.placed', z.object(happened));
export const orderPaid = event(
  'orders.paid',
  z.object({ ...happened, reason: paidReason.default('payment') }),
);
/** Cancelled by a person (`by`), refunded in full, or disputed: `paymentState` says which. */
export const orderCancelled = event(
  'orders.cancelled',
  z.object({ ...happened, paymentState, by: cancelledBy.nullable().default(null) }),
);
/** Money went back to the customer, and the order's payment status stayed as it was. */
export const orderRefunded = event('orders.refunded', z.object({ ...happened, amount: dollars }));
/** A payment that was pending has failed. */
export const orderPaymentFailed = event('orders.paymentFailed', z.object(happened));
export const orderDelivered = event('orders.delivered', z.object(happened));
/** An admin should review the order. */
export const paymentFlagged = event('payments.flagged', z.object({ ...happened, flags: z.array(orderFlag) }));
