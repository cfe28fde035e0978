import { z } from 'zod';
import { created, recordMeta, updated } from './answers.js';
import { billingDetails } from './billing-details.contract.js';
import { command, event, query } from './contract.js';
import { emailAddress } from './identity.contract.js';
import { calendarDay, exportQuery, selection, selectionOutcome, shownPrice, updateBody } from './inputs.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly, signedInOnly } from './policy.js';
import { writtenLine, writtenText } from './text.js';

/** The three statuses of the specification. Derived from the state at the provider, a cancellation and an admin's override. */
export const paymentStatus = z.enum(['UnPaid', 'Paid', 'Cancelled']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

export const orderStatus = z.enum(['Pending', 'Delivered']);
export type OrderStatus = z.infer<typeof orderStatus>;

/**
 * The state of the payment, in more detail than the specification's three statuses: `unpaid`; `pending` (the provider holds it, e.g. an
 * e-check); `failed` (can be paid again); `paid`; `partially_refunded`; `refunded`; `disputed` (reversed or charged back); `cancelled` (by a
 * person; nothing was received, or an admin's override says so).
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
const orderPayment = z.object({
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
 * Why an unpaid order must not be paid again: a payment may have been made that is not confirmed yet (`confirming`), or a payment does not count
 * until an admin has reviewed it (`under_review`).
 */
export const paymentHold = z.enum(['confirming', 'under_review']);
export type PaymentHold = z.infer<typeof paymentHold>;

/** Who cancelled an order. */
export const cancelledBy = z.enum(['customer', 'admin']);
export type CancelledBy = z.infer<typeof cancelledBy>;

/** Why an order became Paid. */
export const paidReason = z.enum([
  /** The provider confirmed a payment. */
  'payment',
  /** The same, for an order that had been cancelled. */
  'payment_after_cancel',
  /** An admin set the status. */
  'admin',
  /** A dispute was closed in the shop's favor. */
  'dispute_closed',
]);
export type PaidReason = z.infer<typeof paidReason>;

/** Why an admin should review an order. Cleared by an admin who has reviewed it. */
const orderFlag = z.enum([
  /** A verified notification, or a report of the provider, about a payment attempt failed a check (amount, currency, receiver, …). */
  'notice_held',
  /** Money came after the order, or its monthly plan, had been cancelled. */
  'paid_after_cancel',
  /** Paid twice: one of the payments must be refunded. */
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
  /** The short number that people quote, like 1042. Null only from an orders service of the previous version: see docs/adr/0015. */
  number: z.int().nullable().default(null),
  /** The customer's account. Null only from an orders service of the previous version. */
  accountId: z.string().nullable().default(null),
  /** MM/DD/YYYY. */
  orderDate: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  packageName: z.string(),
  /** The package's price when it was ordered. For a charge of a monthly plan, it becomes what was charged, without added tax. */
  packagePrice: z.string(),
  /** The tax that is added to the price, and its rate in percent. Zero if the price contains the tax, or none is charged. */
  addedTax: dollars.default('0.00'),
  addedTaxRate: z.string().default('0'),
  /** What the customer wants to have on the invoice; null if nothing was given. */
  billingDetails: billingDetails.nullable().default(null),
  paymentStatus,
  orderStatus,
  paymentState,
  payments: z.array(orderPayment),
  /** Refunds to the customer, of all payments. */
  refunded: dollars,
  /** What disputes and chargebacks have taken and not returned, of all payments. */
  disputed: dollars,
  /** More than one payment was received and neither fully refunded nor disputed. */
  paidTwice: z.boolean(),
  /** Null unless a person cancelled the order. */
  cancelledBy: cancelledBy.nullable(),
  /** The site's name when the order was paid. Null until then, and for orders that were paid before it was kept. */
  seller: z.string().nullable().default(null),
  /**
   * Set for an order of a monthly plan: its cycle, counted from 1, and the plan, which is null until the customer has approved it.
   */
  renewal: z.object({ cycle: z.int(), subscriptionId: z.string().nullable() }).nullable().default(null),
  /** Why the order must not be paid again; null if there is no reason, and for a Paid order. */
  paymentHold: paymentHold.nullable(),
  /**
   * Whether the order can be paid now: it is UnPaid, nothing was received or is pending, `paymentHold` is null, and it is not a charge of a plan that
   * has begun. Starting a payment checks this again.
   */
  payable: z.boolean(),
  /** Empty for customers. */
  flags: z.array(orderFlag),
  ...recordMeta,
});
export type Order = z.infer<typeof order>;

/** The body of `POST /new-order`. */
const orderInput = z.strictObject({
  packageName: writtenLine(10_000),
  packagePrice: shownPrice,
  customerEmail: emailAddress,
  customerName: writtenLine(300),
  customerAddress: writtenLine(1000),
  customerCountry: writtenLine(100),
  /** For the invoice; remembered for the customer's account. */
  billingDetails: billingDetails.optional(),
  /** Pay now, and again every month until cancelled. Without it the order is paid once. */
  renews: z.boolean().optional(),
  /** The `version` of the terms that the customer accepted with the order; kept in the order's timeline. */
  termsVersion: z.int().min(1).optional(),
  paymentStatus: z.literal('UnPaid').default('UnPaid'),
  orderStatus: z.literal('Pending').default('Pending'),
  /** Stored if it is within a day of the server's; otherwise the server's day is stored. */
  orderDate: z
    .string()
    .regex(/^\d{2}\/\d{2}\/\d{4}$/, 'must be a date like 11/21/2026')
    .optional(),
});
export type OrderInput = z.output<typeof orderInput>;

const orderSort = z.enum(['orderDate', 'customerName', 'packagePrice']);

/** Something that happened to an order. Only admins get `by` and `evidence`. */
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
    /** An invoice or a credit note was issued. */
    'invoice',
  ]),
  /** One sentence for a person. */
  text: z.string(),
  /** Who did it: an e-mail address, the label of a payment provider, or null for the system. Always null in what a customer gets. */
  by: z.string().nullable(),
  /** Facts and checks, e.g. before and after, or fields of the payment notification. Empty in what a customer gets. */
  evidence: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** A note of an admin about an order or a customer. Only admins see it; it is deleted with the customer's account. */
export const staffNote = z.object({
  _id: z.string(),
  /** The order that it is about; null for a note about the customer. */
  orderId: z.string().nullable(),
  /** The number of that order. Null for a note about the customer, and from an orders service of the previous version. */
  orderNumber: z.int().nullable().default(null),
  text: z.string(),
  /** The e-mail address of the admin who wrote it. */
  author: z.string(),
  createdAt: z.string(),
});
export type StaffNote = z.infer<typeof staffNote>;

/** The most notes that one order, or one customer, can have. */
export const noteLimit = 100;

export const noteBody = z.strictObject({ text: writtenText(10_000) });

/** Totals: for an admin over all orders, for a customer over the orders that they may see. Exact at any moment. */
const ordersSummary = z.object({
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

const salesPeriod = z.enum(['day', 'week', 'month']);
export type SalesPeriod = z.infer<typeof salesPeriod>;

/** The maximum number of periods in one answer, and of packages that are named in it. */
export const maxSalesPeriods = 400;
export const maxSalesPackages = 12;

const salesFigures = {
  /** All orders, whatever their status. */
  orders: z.int(),
  /** Paid orders. */
  paid: z.int(),
  /** Sum of packagePrice over the Paid ones. */
  sales: dollars,
  /** Refunds of all these orders. */
  refunded: dollars,
};

/** Sales over time, by the day of the order. Exact, like the summary. */
const ordersSales = z.object({
  from: z.string(),
  to: z.string(),
  by: salesPeriod,
  ...salesFigures,
  /**
   * Without gaps, oldest first. `from` is the first day of the period: of a week a Monday, and of a month the first, even if that is before the
   * range.
   */
  periods: z.array(z.object({ from: z.string(), ...salesFigures })),
  /** Most sales first. The packages after the twelfth are added up, under null. */
  packages: z.array(z.object({ packageName: z.string().nullable(), ...salesFigures })),
});
export type OrdersSales = z.infer<typeof ordersSales>;

/** The unpaid orders in one range of ages. */
const unpaidAge = z.object({
  /** Age in days, inclusive; `toDays` null means any greater age. */
  fromDays: z.int(),
  toDays: z.int().nullable(),
  /**
   * The first and the last day of these orders, for the list's filter. `from` is null for the oldest range. `to` is null for the youngest, because
   * orders have the customer's date, which may already be tomorrow's.
   */
  from: z.string().nullable(),
  to: z.string().nullable(),
  orders: z.int(),
  amount: dollars,
});
export type UnpaidAge = z.infer<typeof unpaidAge>;

const record = order.meta({ id: 'Order' });
const adminStatus = paymentStatus.exclude(['Cancelled']);
/** Why an admin overrides the payment status: kept in the timeline, for admins only, and in the audit log. */
const overrideReason = writtenText(1000).optional();
const own = z.boolean().optional().describe('Only your own orders.');
/** With `from` or `to` and without `sort`, orders are sorted by their day. */
const filter = z.object({
  paymentStatus: paymentStatus.optional(),
  orderStatus: orderStatus.optional(),
  flagged: z.boolean().optional().describe('Orders that need an admin’s attention, or the others.'),
  from: calendarDay.optional().describe('First day of the order, YYYY-MM-DD.'),
  to: calendarDay.optional().describe('Last day of the order, YYYY-MM-DD.'),
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
      'The orders that you may see, newest first unless sorted: your own and those of customers whose billing colleague you are; all orders for an admin. Searching for an order number, such as #1042, puts that order first',
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
    answer: z.array(unpaidAge.meta({ id: 'UnpaidAge' })),
  }),
  getOrder: relay({
    at: 'GET /order/:id',
    pattern: 'orders.order',
    summary: 'One order; another customer’s order is not found',
    policy: signedInOnly,
    answer: record,
  }),
  /** The newest 200 entries. */
  getOrderTimeline: relay({
    at: 'GET /order/:id/timeline',
    pattern: 'orders.timeline',
    summary: 'What happened to an order, oldest first; actors and evidence are shown to admins only',
    policy: signedInOnly,
    answer: z.array(timelineEntry.meta({ id: 'TimelineEntry' })),
  }),
  updateOrderPaymentStatus: relay({
    at: 'PUT /order/:id',
    pattern: 'orders.setPaymentStatus',
    summary: 'Override the payment status; the override stands until the next one',
    policy: adminsOnly,
    body: updateBody('OrderPaymentStatusUpdate', {
      paymentStatus: adminStatus,
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
      .extend({ paymentStatus: adminStatus, reason: overrideReason })
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
    summary: 'Add a note about an order, which only admins see',
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
  /**
   * The order with its customer's account, for notification e-mails and for the project of the order. Throws NOT_FOUND. The pattern is an older name,
   * which services of the previous version call during an upgrade.
   */
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
  /** The ids of Paid orders, oldest first; only those after the order with the id `after`, unless it is null. */
  paidOrders: query({
    pattern: 'orders.paidOrders',
    access: 'system',
    callableBy: ['projects'],
    input: z.object({ after: z.uuid().nullable(), limit: z.int().min(1).max(1_000) }),
    output: z.array(z.string()),
  }),
  /** Sales of all orders. Throws INVALID_INPUT for a range that ends before it begins, or has more periods than one answer holds. */
  sales: query({
    pattern: 'orders.sales',
    access: 'admin',
    input: z.object({ from: calendarDay, to: calendarDay, by: salesPeriod }),
    output: ordersSales,
  }),
  /**
   * UnPaid to Cancelled. Throws NOT_FOUND; FORBIDDEN for a billing colleague; VERSION_MISMATCH; ALREADY_PAID, also while a payment is being taken;
   * INVALID_TRANSITION for an order of a monthly plan that has begun. Cancelling a cancelled order changes nothing.
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
/** Cancelled by a person (`by`), refunded in full, or disputed; see `paymentState`. */
export const orderCancelled = event(
  'orders.cancelled',
  z.object({ ...eventFields, paymentState, by: cancelledBy.nullable().default(null) }),
);
/** Money was refunded, and this did not make the order Cancelled. */
export const orderRefunded = event('orders.refunded', z.object({ ...eventFields, amount: dollars }));
/** A payment that was pending has failed. */
export const orderPaymentFailed = event('orders.paymentFailed', z.object(eventFields));
/**
 * An admin has set the order status to Delivered, or back to Pending. Not published when the status follows from a project, because the customer gets
 * a mail about the project.
 */
export const orderDelivered = event('orders.delivered', z.object(eventFields));
export const orderReopened = event('orders.reopened', z.object(eventFields));
/** An admin should review the order. */
export const paymentFlagged = event(
  'payments.flagged',
  z.object({ ...eventFields, flags: z.array(orderFlag) }),
);
