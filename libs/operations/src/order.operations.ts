import { z } from 'zod';
import {
  calendarDay,
  order,
  orderContract as contract,
  orderInput,
  orderSort,
  orderStatus,
  ordersSales,
  ordersSummary,
  paymentStatus,
  salesPeriod,
  sortDirection,
  timelineEntry,
  unpaidAge,
} from '#libs/contracts';
import { created, updated } from './acknowledged.js';
import { csvExport } from './csv.js';
import { pagePart, pageQuery, selection, selectionOutcome, updateBody, yesOrNo } from './inputs.js';
import { grouped, list, operation, output, relay } from './operation.js';
import { adminsOnly, customersOnly } from './policy.js';

const record = order.meta({ id: 'Order' });
const adminStatus = paymentStatus.exclude(['Cancelled']);
const own = yesOrNo().optional().describe('Only your own orders; for admins, who get all orders without it.');
const listQuery = pageQuery.extend({
  paymentStatus: paymentStatus.optional(),
  orderStatus: orderStatus.optional(),
  flagged: yesOrNo().optional().describe('Orders that need an admin’s attention, or the others.'),
  from: calendarDay.optional().describe('First day of the order, YYYY-MM-DD.'),
  to: calendarDay.optional().describe('Last day of the order, YYYY-MM-DD.'),
  own,
  sort: orderSort.optional(),
  direction: sortDirection.optional(),
});

export const orderOperations = grouped('Orders', {
  place: relay({
    at: 'POST /new-order',
    id: 'createOrder',
    summary: 'Order a package for your own e-mail address, at its current price',
    policy: { ...customersOnly, idempotent: true, limit: 'orders' },
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
    failures: ['FORBIDDEN', 'PRICE_CHANGED'],
    to: created(contract.place),
  }),
  list: relay({
    at: 'GET /orders',
    id: 'listOrders',
    summary: 'Your own orders, all orders for an admin; newest first unless sorted',
    policy: customersOnly,
    query: listQuery,
    to: list(contract.list, record),
  }),
  summary: relay({
    at: 'GET /orders/summary',
    id: 'getOrdersSummary',
    summary: 'Totals over your own orders, over all orders for an admin',
    policy: customersOnly,
    query: z.object({ own }),
    to: output(contract.summary, ordersSummary.meta({ id: 'OrdersSummary' })),
  }),
  sales: operation({
    at: 'GET /orders/sales',
    id: 'getOrdersSales',
    summary:
      'Sales over time and by package, by the day of the order; the last 30 days unless given, at most 400 periods',
    policy: adminsOnly,
    query: z.object({
      from: calendarDay.optional().describe('First day, YYYY-MM-DD.'),
      to: calendarDay.optional().describe('Last day, YYYY-MM-DD; today in UTC.'),
      by: salesPeriod.default('day'),
    }),
    answer: ordersSales.meta({ id: 'OrdersSales' }),
  }),
  unpaidAges: relay({
    at: 'GET /orders/unpaid-ages',
    id: 'listUnpaidAges',
    summary: 'Unpaid orders, counted by age',
    policy: adminsOnly,
    to: output(contract.unpaidAges, z.array(unpaidAge.meta({ id: 'UnpaidAge' }))),
  }),
  item: relay({
    at: 'GET /order/:id',
    id: 'getOrder',
    summary: 'One order; another customer’s order is not found',
    policy: customersOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.order, record),
  }),
  timeline: relay({
    at: 'GET /order/:id/timeline',
    id: 'getOrderTimeline',
    summary: 'What happened to an order, oldest first; actors and evidence are shown to admins only',
    policy: customersOnly,
    failures: ['NOT_FOUND'],
    to: output(contract.timeline, z.array(timelineEntry.meta({ id: 'TimelineEntry' }))),
  }),
  setPaymentStatus: relay({
    at: 'PUT /order/:id',
    id: 'updateOrderPaymentStatus',
    summary: 'Override the payment status; the override stands until the next one',
    policy: adminsOnly,
    body: updateBody('OrderPaymentStatusUpdate', { paymentStatus: adminStatus }),
    versioned: true,
    failures: ['NOT_FOUND'],
    to: updated(contract.setPaymentStatus),
  }),
  setOrderStatus: relay({
    at: 'PUT /order-status/:id',
    id: 'updateOrderStatus',
    summary: 'Set the order status',
    policy: adminsOnly,
    body: updateBody('OrderStatusUpdate', { orderStatus }),
    versioned: true,
    failures: ['NOT_FOUND'],
    to: updated(contract.setOrderStatus),
  }),
  setPaymentStatuses: relay({
    at: 'PUT /orders/payment-status',
    id: 'updateOrdersPaymentStatus',
    summary: 'Override the payment status of up to 100 orders; cancelled orders are skipped',
    policy: adminsOnly,
    body: selection.extend({ paymentStatus: adminStatus }).meta({ id: 'OrdersPaymentStatusUpdate' }),
    to: output(contract.setPaymentStatuses, selectionOutcome),
  }),
  setOrderStatuses: relay({
    at: 'PUT /orders/order-status',
    id: 'updateOrdersStatus',
    summary: 'Set the order status of up to 100 orders; cancelled orders cannot be delivered',
    policy: adminsOnly,
    body: selection.extend({ orderStatus }).meta({ id: 'OrdersStatusUpdate' }),
    to: output(contract.setOrderStatuses, selectionOutcome),
  }),
  cancel: operation({
    at: 'PUT /order-cancelled/:id',
    id: 'cancelOrder',
    summary: 'Cancel an unpaid order',
    policy: customersOnly,
    body: updateBody('OrderCancel', { paymentStatus: z.literal('Cancelled') }),
    versioned: true,
    answer: updated(contract.cancel).answer,
    failures: ['NOT_FOUND', 'ALREADY_PAID'],
  }),
  clearFlags: relay({
    at: 'POST /order/:id/flags-cleared',
    id: 'clearOrderFlags',
    summary: 'Clear the flags of an order after reviewing it; the timeline keeps them',
    policy: adminsOnly,
    versioned: true,
    failures: ['NOT_FOUND'],
    to: updated(contract.clearFlags),
  }),
  export: csvExport({
    at: 'GET /orders/export',
    id: 'exportOrders',
    summary: 'All orders that pass the filter, as a CSV file',
    query: listQuery.omit({ ...pagePart, own: true }),
  }),
});
