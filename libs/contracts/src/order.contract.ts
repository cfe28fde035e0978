import { z } from 'zod';
import { created, recordMeta, updated } from './answers.js';
import { billingDetails } from './billing-details.contract.js';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { calendarDay, exportQuery, selection, selectionOutcome, shownPrice, updateBody } from './inputs.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly, signedInOnly } from './policy.js';
import { requiredLine, requiredText } from './text.js';

/** The specification's statuses. They follow from the state at the provider, a cancellation and an admin's override. */
export const paymentStatus = z.enum(['UnPaid', 'Paid', 'Cancelled']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

export const orderStatus = z.enum(['Pending', 'Delivered']);
export type OrderStatus = z.infer<typeof orderStatus>;

/**
 * `pending`: the provider holds the payment, e.g. an e-check. `failed`: can be paid again. `disputed`: reversed or charged back. `cancelled`: by a
 * person, while no money was received or an admin's override says UnPaid.
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

/** With two decimals, e.g. `"290.00"`. */
const dollars = z.string();

const orderPayment = z.object({
  /** The provider's transaction id. */
  txnId: z.string(),
  state: z.enum(['pending', 'failed', 'received', 'partially_refunded', 'refunded', 'disputed']),
  amount: dollars,
  refunded: dollars,
  /** According to the provider, ISO 8601. */
  paidAt: z.string(),
});
export type OrderPayment = z.infer<typeof orderPayment>;

/**
 * Why an UnPaid order cannot be paid at present. `confirming`: a payment may have been made. `under_review`: a payment does not count until an admin
 * has reviewed it.
 */
export const paymentHold = z.enum(['confirming', 'under_review']);
export type PaymentHold = z.infer<typeof paymentHold>;

export const cancelledBy = z.enum(['customer', 'admin']);
export type CancelledBy = z.infer<typeof cancelledBy>;

/** Why an order became Paid. */
export const paidReason = z.enum([
  'payment',
  /** The provider confirmed a payment after the order had been cancelled. */
  'payment_after_cancel',
  'admin',
  /** In the shop's favour. */
  'dispute_closed',
]);
export type PaidReason = z.infer<typeof paidReason>;

/** Why an admin should review an order. Cleared by that review. */
const orderFlag = z.enum([
  /** A verified notification, or a report of the provider, failed a check (amount, currency, receiver, …). */
  'notice_held',
  /** Money came after the order, or its monthly plan, was cancelled. */
  'paid_after_cancel',
  /** One of the payments must be refunded. */
  'paid_twice',
  /** The provider and an admin's override disagree. */
  'override_disagrees',
  'refunded',
  /** Disputed or charged back, at least in part. */
  'disputed',
  /** The provider has not verified a notification for hours, or kept denying that it sent it. */
  'unverified',
  /** The buyer opened a case at the provider. No money has moved yet. */
  'case_opened',
  /** The shop has to accept or deny a payment at the provider, e.g. because of its currency. */
  'acceptance_needed',
  /** Money came after the customer had deleted the account. */
  'account_deleted',
]);
export type OrderFlag = z.infer<typeof orderFlag>;

export const order = z.object({
  _id: z.string(),
  /** Like 1042. Null only from an orders service of the previous version: see docs/adr/0015. */
  number: z.int().nullable().default(null),
  /** Null only from an orders service of the previous version. */
  accountId: z.string().nullable().default(null),
  /** MM/DD/YYYY. */
  orderDate: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  packageName: z.string(),
  /** At the time of the order. For a charge of a monthly plan: what was charged, without added tax. */
  packagePrice: z.string(),
  /** The rate is in percent. Both are zero if the price contains the tax, or none is charged. */
  addedTax: dollars.default('0.00'),
  addedTaxRate: z.string().default('0'),
  /** For the invoice; null if nothing was given. */
  billingDetails: billingDetails.nullable().default(null),
  paymentStatus,
  orderStatus,
  paymentState,
  payments: z.array(orderPayment),
  /** To the customer, of all payments. */
  refunded: dollars,
  /** What disputes and chargebacks have taken and not returned, of all payments. */
  disputed: dollars,
  /** Something is left, after refunds and disputes, of at least two payments. */
  paidTwice: z.boolean(),
  /** Null unless a person cancelled the order. */
  cancelledBy: cancelledBy.nullable(),
  /** The site's name when the order was paid; null before that, and for old orders. */
  seller: z.string().nullable().default(null),
  /** For an order of a monthly plan. Cycles count from 1. `subscriptionId` is null until the customer has approved the plan. */
  renewal: z.object({ cycle: z.int(), subscriptionId: z.string().nullable() }).nullable().default(null),
  /** Null if there is no reason, and for a Paid order. */
  paymentHold: paymentHold.nullable(),
  /**
   * Whether it is UnPaid, no payment was received or is pending, `paymentHold` is null, and it is not a charge of a plan that has begun. Starting a
   * payment checks this again.
   */
  payable: z.boolean(),
  /** Empty for customers. */
  flags: z.array(orderFlag),
  ...recordMeta,
});
export type Order = z.infer<typeof order>;

const orderInput = z.strictObject({
  packageName: requiredLine(10_000),
  packagePrice: shownPrice,
  customerEmail: emailAddress,
  customerName: requiredLine(300),
  customerAddress: requiredLine(1000),
  customerCountry: requiredLine(100),
  /** Remembered for the customer's account. */
  billingDetails: billingDetails.optional(),
  /** Pay now, and again every month until cancelled. */
  renews: z.boolean().optional(),
  /** Of the terms that the customer accepted; kept in the order's timeline. */
  termsVersion: z.int().min(1).optional(),
  paymentStatus: z.literal('UnPaid').default('UnPaid'),
  orderStatus: z.literal('Pending').default('Pending'),
  /** Replaced by the server's day if they differ by more than a day. */
  orderDate: z
    .string()
    .regex(/^\d{2}\/\d{2}\/\d{4}$/, 'must be a date like 11/21/2026')
    .optional(),
});
export type OrderInput = z.output<typeof orderInput>;

const orderSort = z.enum(['orderDate', 'customerName', 'packagePrice']);

/** Only admins get `by` and `evidence`. */
export const timelineEntry = z.object({
  _id: z.string(),
  at: z.string(),
  kind: z.enum([
    'placed',
    'attempt_started',
    /** A payment attempt has had no outcome for too long. */
    'attempt_unanswered',
    'notice_received',
    'payment',
    'notice_held',
    /** An admin has requested a refund, or the provider has refused one. */
    'refund',
    'cancelled',
    'payment_status_set',
    'order_status_set',
    'flag_cleared',
    'details_blanked',
    'invoice',
  ]),
  text: z.string(),
  /** An e-mail address, the label of a payment provider, or null for the system. Always null for customers. */
  by: z.string().nullable(),
  /** Facts and checks, e.g. before and after. Empty for customers. */
  evidence: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** About an order or a customer, for admins only. Deleted with the customer's account. */
export const staffNote = z.object({
  _id: z.string(),
  /** Null for a note about the customer. */
  orderId: z.string().nullable(),
  /** Null for a note about the customer, and from an orders service of the previous version. */
  orderNumber: z.int().nullable().default(null),
  text: z.string(),
  /** An admin's e-mail address. */
  author: z.string(),
  createdAt: z.string(),
});
export type StaffNote = z.infer<typeof staffNote>;

/** Per order, and per customer. */
export const noteLimit = 100;

export const noteBody = z.strictObject({ text: requiredText(10_000) });

/** For a customer, over the orders that they may see. Always exact. */
const ordersSummary = z.object({
  orders: z.int(),
  /** Sum of packagePrice over Paid orders. */
  totalSales: dollars,
  refunded: dollars,
  byPaymentStatus: z.record(paymentStatus, z.int()),
  byOrderStatus: z.record(orderStatus, z.int()),
  /** Orders with a flag; 0 for customers. */
  flagged: z.int(),
});
export type OrdersSummary = z.infer<typeof ordersSummary>;

const salesPeriod = z.enum(['day', 'week', 'month']);
export type SalesPeriod = z.infer<typeof salesPeriod>;

/** The most in one answer. */
export const maxSalesPeriods = 400;
export const maxSalesPackages = 12;

const salesFigures = {
  /** In any status. */
  orders: z.int(),
  paid: z.int(),
  /** Sum of packagePrice over the Paid ones. */
  sales: dollars,
  refunded: dollars,
};

/** By the day of the order. Always exact. */
const ordersSales = z.object({
  from: z.string(),
  to: z.string(),
  by: salesPeriod,
  ...salesFigures,
  /** Without gaps, oldest first. `from` is a Monday, or the first of a month, even if that is before the range. */
  periods: z.array(z.object({ from: z.string(), ...salesFigures })),
  /** Most sales first. Those after the twelfth are added up under null. */
  packages: z.array(z.object({ packageName: z.string().nullable(), ...salesFigures })),
});
export type OrdersSales = z.infer<typeof ordersSales>;

const unpaidAgeRange = z.object({
  /** Inclusive; `toDays` null means any greater age. */
  fromDays: z.int(),
  toDays: z.int().nullable(),
  /**
   * Days for the list's filter. `from` is null for the oldest range. `to` is null for the youngest: the customer's date may already be tomorrow's.
   */
  from: z.string().nullable(),
  to: z.string().nullable(),
  orders: z.int(),
  amount: dollars,
});
export type UnpaidAgeRange = z.infer<typeof unpaidAgeRange>;

const record = order.meta({ id: 'Order' });
const overrideStatus = paymentStatus.exclude(['Cancelled']);
/** Kept in the timeline, for admins only, and in the audit log. */
const overrideReason = requiredText(1000).optional();
const own = z.boolean().optional().describe('Only your own orders.');
/** With `from` or `to` and without `sort`, sorted by day. */
const filter = z.object({
  paymentStatus: paymentStatus.optional(),
  orderStatus: orderStatus.optional(),
  flagged: z.boolean().optional().describe('Whether the order has flags, which an admin should review.'),
  from: calendarDay.optional().describe('Orders of this day and later, YYYY-MM-DD.'),
  to: calendarDay.optional().describe('Orders of this day and earlier, YYYY-MM-DD.'),
  own,
  customer: z.uuid({ error: 'is not a customer' }).optional().describe('Only orders of this account.'),
  subscription: z
    .uuid({ error: 'is not a monthly plan' })
    .optional()
    .describe('The charges of this monthly plan.'),
  sort: orderSort.optional(),
  direction: sortDirection.default('desc'),
});

export const orderOperations = grouped('Orders', {
  /** Throws FORBIDDEN for another person's e-mail address; PRICE_CHANGED (with the current price) for a price or a package that is not on offer. */
  createOrder: relay({
    at: 'POST /new-order',
    pattern: 'orders.place',
    summary: 'Order a package for your own e-mail address, at its current price',
    policy: { ...signedInOnly, idempotent: true, limit: 'orders' },
    body: orderInput.meta({
      id: 'OrderCreate',
      examples: [
        {
          packageName: 'Basic',
          packagePrice: '290.00',
          customerEmail: 'ada@example.com',
          customerName: 'Ada Lovelace',
          customerAddress: '12 St James’s Square, London',
          customerCountry: 'United Kingdom',
        },
      ],
    }),
    answer: created(order),
    failures: ['FORBIDDEN', 'PRICE_CHANGED'],
  }),
  listOrders: list({
    at: 'GET /orders',
    pattern: 'orders.list',
    summary:
      'The orders that you may see, newest first unless sorted: your own and those of customers in whose team you have the role `billing`; all orders for an admin. Searching for an order number, such as #1042, puts that order first',
    policy: signedInOnly,
    filter,
    record,
  }),
  getOrdersSummary: relay({
    at: 'GET /orders/summary',
    pattern: 'orders.summary',
    summary: 'Totals over the orders that you may see; for an admin, over all orders',
    policy: signedInOnly,
    query: z.object({ own }),
    answer: ordersSummary.meta({ id: 'OrdersSummary' }),
  }),
  getOrdersSales: operation({
    at: 'GET /orders/sales',
    summary:
      'Sales over time and by package, by the day of the order; the last 30 days unless given, at most 400 periods',
    policy: adminsOnly,
    query: z.object({
      from: calendarDay.optional().describe('First day, YYYY-MM-DD.'),
      to: calendarDay.optional().describe('Last day, YYYY-MM-DD. By default, today in UTC.'),
      by: salesPeriod.default('day'),
    }),
    answer: ordersSales.meta({ id: 'OrdersSales' }),
  }),
  listUnpaidAges: relay({
    at: 'GET /orders/unpaid-ages',
    pattern: 'orders.unpaidAges',
    summary: 'Unpaid orders, counted by age, youngest first',
    policy: adminsOnly,
    answer: z.array(unpaidAgeRange.meta({ id: 'UnpaidAge' })),
  }),
  getOrder: relay({
    at: 'GET /order/:id',
    pattern: 'orders.order',
    summary: 'One order; another customer’s order is not found',
    policy: signedInOnly,
    answer: record,
  }),
  getOrderTimeline: relay({
    at: 'GET /order/:id/timeline',
    pattern: 'orders.timeline',
    summary:
      'What happened to an order: the newest 200 entries, oldest first; actors and evidence are shown to admins only',
    policy: signedInOnly,
    answer: z.array(timelineEntry.meta({ id: 'TimelineEntry' })),
  }),
  updateOrderPaymentStatus: relay({
    at: 'PUT /order/:id',
    pattern: 'orders.setPaymentStatus',
    summary: 'Override the payment status; the override stands until the next one',
    policy: adminsOnly,
    body: updateBody('OrderPaymentStatusUpdate', {
      paymentStatus: overrideStatus,
      reason: overrideReason,
    }),
    versioned: true,
    answer: updated(order),
  }),
  updateOrderStatus: relay({
    at: 'PUT /order-status/:id',
    pattern: 'orders.setOrderStatus',
    summary: 'Set the order status, even if the order is cancelled',
    policy: adminsOnly,
    body: updateBody('OrderStatusUpdate', { orderStatus }),
    versioned: true,
    answer: updated(order),
  }),
  updateOrdersPaymentStatus: relay({
    at: 'PUT /orders/payment-status',
    pattern: 'orders.setPaymentStatuses',
    summary: 'Override the payment status of up to 100 orders; cancelled orders are skipped',
    policy: adminsOnly,
    body: selection
      .extend({ paymentStatus: overrideStatus, reason: overrideReason })
      .meta({ id: 'OrdersPaymentStatusUpdate' }),
    answer: selectionOutcome,
  }),
  updateOrdersStatus: relay({
    at: 'PUT /orders/order-status',
    pattern: 'orders.setOrderStatuses',
    summary: 'Set the order status of up to 100 orders; cancelled orders cannot be delivered',
    policy: adminsOnly,
    body: selection.extend({ orderStatus }).meta({ id: 'OrdersStatusUpdate' }),
    answer: selectionOutcome,
  }),
  cancelOrder: operation({
    at: 'PUT /order-cancelled/:id',
    summary: 'Cancel an unpaid order',
    policy: signedInOnly,
    body: updateBody('OrderCancel', { paymentStatus: z.literal('Cancelled') }),
    versioned: true,
    answer: updated(order).answer,
    failures: ['FORBIDDEN', 'ALREADY_PAID', 'INVALID_TRANSITION'],
  }),
  clearOrderFlags: relay({
    at: 'POST /order/:id/flags-cleared',
    pattern: 'orders.clearFlags',
    summary: 'Clear the flags of an order after reviewing it; the timeline keeps them',
    policy: adminsOnly,
    versioned: true,
    answer: updated(order),
  }),
  listOrderNotes: relay({
    at: 'GET /order/:id/notes',
    pattern: 'orders.notes',
    summary: 'The notes of admins about an order, oldest first',
    policy: adminsOnly,
    answer: z.array(staffNote.meta({ id: 'StaffNote' })),
  }),
  addOrderNote: relay({
    at: 'POST /order/:id/note',
    pattern: 'orders.addNote',
    summary: 'Add a note about an order, which only staff see',
    policy: adminsIdempotent,
    body: noteBody.meta({ id: 'OrderNote', examples: [{ text: 'Wants the report by Friday.' }] }),
    answer: created(staffNote),
    failures: ['INVALID_TRANSITION'],
  }),
  exportOrders: csvExport({
    at: 'GET /orders/export',
    summary: 'All orders that pass the filter, as a CSV file',
    query: exportQuery(filter.omit({ own: true })),
  }),
});

export const orderContract = {
  ...relayedIn(orderOperations),
  /** Throws NOT_FOUND. The pattern keeps its older name, because services of the previous version call it. */
  getForService: query({
    pattern: 'orders.told',
    access: 'system',
    callableBy: ['projects', 'messaging'],
    input: z.object({ id: z.string() }),
    output: order.extend({
      accountId: z.string(),
      /** Whether payments get an invoice, and whether mails link to it or have it attached. */
      invoices: z.enum(['none', 'link', 'file']).default('none'),
    }),
  }),
  /** Ids of Paid orders, oldest first; only those after the order `after`, unless it is null. */
  listPaidOrderIds: query({
    pattern: 'orders.paidOrders',
    access: 'system',
    callableBy: ['projects'],
    input: z.object({ after: z.uuid().nullable(), limit: z.int().min(1).max(1_000) }),
    output: z.array(z.string()),
  }),
  /** Throws INVALID_INPUT for a range that ends before it begins, or has too many periods. */
  getSales: query({
    pattern: 'orders.sales',
    access: 'admin',
    input: z.object({ from: calendarDay, to: calendarDay, by: salesPeriod }),
    output: ordersSales,
  }),
  /**
   * UnPaid to Cancelled; nothing changes if it is cancelled already. Throws NOT_FOUND; FORBIDDEN for a team member with the role `billing`;
   * VERSION_MISMATCH; ALREADY_PAID, also while a payment is being taken; INVALID_TRANSITION for an order of a monthly plan that has begun.
   */
  cancel: command({
    pattern: 'orders.cancel',
    access: 'customer',
    input: z.object({ id: z.string(), ifVersion: z.int().optional() }),
    output: updated(order).output,
  }),
} as const;

const eventFields = { orderId: z.string(), accountId: z.string(), version: z.int() };
export const orderPlaced = event('orders.placed', z.object(eventFields));
export const orderPaid = event(
  'orders.paid',
  z.object({ ...eventFields, reason: paidReason.default('payment') }),
);
/** Cancelled by a person (`by`), refunded in full, or disputed. */
export const orderCancelled = event(
  'orders.cancelled',
  z.object({ ...eventFields, paymentState, by: cancelledBy.nullable().default(null) }),
);
/** Money was refunded, and the order did not become Cancelled. */
export const orderRefunded = event('orders.refunded', z.object({ ...eventFields, amount: dollars }));
export const orderPaymentFailed = event('orders.paymentFailed', z.object(eventFields));
/**
 * An admin has set the order status to Delivered; `orderReopened`: to Pending. Neither is published when the status follows from a project: the
 * customer then gets the project's mail.
 */
export const orderDelivered = event('orders.delivered', z.object(eventFields));
export const orderReopened = event('orders.reopened', z.object(eventFields));
export const paymentFlagged = event(
  'payments.flagged',
  z.object({ ...eventFields, flags: z.array(orderFlag) }),
);
