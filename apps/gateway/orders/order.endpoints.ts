import { z } from 'zod';
import {
  calendarDay,
  order,
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
import { adminsOnly, customersOnly, type Policy } from '../policy/policy.js';
import { acknowledgedCreate, acknowledgedUpdate } from '../routing/acknowledged.js';
import { bulkAnswer, chosenBody } from '../routing/bulk.js';
import type { Endpoint } from '../routing/endpoint.js';
import { pageQuery } from '../routing/listing.js';
import { yesOrNo } from '../routing/query.js';

const group = 'Orders';
const record = order.meta({ id: 'Order' });
const ignored = z.unknown().optional();

const ordering: Policy = { ...customersOnly, idempotent: true, limit: 'orders' };

/** The body of an update: one field, and what the server added to the record, which is accepted and dropped. */
function updateBody<N extends string, S extends z.ZodType<string>>(name: N, value: S, id: string) {
  return z
    .strictObject({ [name]: value, _id: ignored, createdAt: ignored, updatedAt: ignored, version: ignored })
    .transform((body) => ({ [name]: body[name] }))
    .meta({ id });
}

const ownOnly = yesOrNo().optional().describe('Only the own orders; for admins, who get all without it.');

export const placeOrderEndpoint: Endpoint = {
  method: 'POST',
  path: '/new-order',
  policy: ordering,
  operationId: 'createOrder',
  summary: 'Order a package under the own e-mail address, at its present price',
  group,
  body: orderInput.meta({ id: 'OrderCreate' }),
  status: 201,
  answer: acknowledgedCreate(order),
  failures: ['INVALID_INPUT', 'FORBIDDEN', 'PRICE_CHANGED', 'IDEMPOTENCY_KEY_REUSED'],
};

export const listOrdersEndpoint: Endpoint = {
  method: 'GET',
  path: '/orders',
  policy: customersOnly,
  operationId: 'listOrders',
  summary: 'The own orders, all for an admin; newest first unless sorted',
  group,
  query: pageQuery.extend({
    paymentStatus: paymentStatus.optional(),
    orderStatus: orderStatus.optional(),
    flagged: yesOrNo().optional().describe('Orders that an admin should look at, or the others.'),
    from: calendarDay.optional().describe('First day of the order, YYYY-MM-DD.'),
    to: calendarDay.optional().describe('Last day of the order, YYYY-MM-DD.'),
    own: ownOnly,
    sort: orderSort.optional(),
    direction: sortDirection.optional(),
  }),
  status: 200,
  answer: z.array(record),
  failures: ['INVALID_INPUT'],
  paged: true,
};

export const summaryEndpoint: Endpoint = {
  method: 'GET',
  path: '/orders/summary',
  policy: customersOnly,
  operationId: 'getOrdersSummary',
  summary: 'Totals over the own orders, over all for an admin',
  group,
  query: z.object({ own: ownOnly }),
  status: 200,
  answer: ordersSummary.meta({ id: 'OrdersSummary' }),
  failures: ['INVALID_INPUT'],
};

export const salesEndpoint: Endpoint = {
  method: 'GET',
  path: '/orders/sales',
  policy: adminsOnly,
  operationId: 'getOrdersSales',
  summary:
    'What was sold over time and by package, by the day of the order; the last 30 days unless said otherwise, at most 400 periods',
  group,
  query: z.object({
    from: calendarDay.optional().describe('First day, YYYY-MM-DD.'),
    to: calendarDay.optional().describe('Last day, YYYY-MM-DD; today in UTC.'),
    by: salesPeriod.default('day'),
  }),
  status: 200,
  answer: ordersSales.meta({ id: 'OrdersSales' }),
  failures: ['INVALID_INPUT'],
};

export const unpaidAgesEndpoint: Endpoint = {
  method: 'GET',
  path: '/orders/unpaid-ages',
  policy: adminsOnly,
  operationId: 'listUnpaidAges',
  summary: 'How many orders have not been paid for how long',
  group,
  status: 200,
  answer: z.array(unpaidAge.meta({ id: 'UnpaidAge' })),
  failures: [],
};

export const getOrderEndpoint: Endpoint = {
  method: 'GET',
  path: '/order/:id',
  policy: customersOnly,
  operationId: 'getOrder',
  summary: 'One order; to whom it does not belong it does not exist',
  group,
  status: 200,
  answer: record,
  failures: ['NOT_FOUND'],
};

export const timelineEndpoint: Endpoint = {
  method: 'GET',
  path: '/order/:id/timeline',
  policy: customersOnly,
  operationId: 'getOrderTimeline',
  summary: 'What happened to an order, oldest first; who did it and the evidence are for admins',
  group,
  status: 200,
  answer: z.array(timelineEntry.meta({ id: 'TimelineEntry' })),
  failures: ['NOT_FOUND'],
};

export const setPaymentStatusEndpoint: Endpoint = {
  method: 'PUT',
  path: '/order/:id',
  policy: adminsOnly,
  operationId: 'updateOrderPaymentStatus',
  summary: 'Set the payment status; it stands until it is set again',
  group,
  body: updateBody('paymentStatus', paymentStatus.exclude(['Cancelled']), 'OrderPaymentStatusUpdate'),
  status: 200,
  answer: acknowledgedUpdate(order),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const setOrderStatusEndpoint: Endpoint = {
  method: 'PUT',
  path: '/order-status/:id',
  policy: adminsOnly,
  operationId: 'updateOrderStatus',
  summary: 'Set the order status',
  group,
  body: updateBody('orderStatus', orderStatus, 'OrderStatusUpdate'),
  status: 200,
  answer: acknowledgedUpdate(order),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const setPaymentStatusesEndpoint: Endpoint = {
  method: 'PUT',
  path: '/orders/payment-status',
  policy: adminsOnly,
  operationId: 'updateOrdersPaymentStatus',
  summary: 'Set the payment status of up to 100 orders; not of cancelled ones',
  group,
  body: chosenBody
    .extend({ paymentStatus: paymentStatus.exclude(['Cancelled']) })
    .meta({ id: 'OrdersPaymentStatusUpdate' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT'],
};

export const setOrderStatusesEndpoint: Endpoint = {
  method: 'PUT',
  path: '/orders/order-status',
  policy: adminsOnly,
  operationId: 'updateOrdersStatus',
  summary: 'Set the order status of up to 100 orders; a cancelled one is not delivered',
  group,
  body: chosenBody.extend({ orderStatus }).meta({ id: 'OrdersStatusUpdate' }),
  status: 200,
  answer: bulkAnswer,
  failures: ['INVALID_INPUT'],
};

export const cancelOrderEndpoint: Endpoint = {
  method: 'PUT',
  path: '/order-cancelled/:id',
  policy: customersOnly,
  operationId: 'cancelOrder',
  summary: 'Cancel the payment of an order that is not paid',
  group,
  body: updateBody('paymentStatus', z.literal('Cancelled'), 'OrderCancel'),
  status: 200,
  answer: acknowledgedUpdate(order),
  failures: ['INVALID_INPUT', 'NOT_FOUND', 'ALREADY_PAID', 'VERSION_MISMATCH'],
  versioned: true,
};

export const clearFlagsEndpoint: Endpoint = {
  method: 'POST',
  path: '/order/:id/flags-cleared',
  policy: adminsOnly,
  operationId: 'clearOrderFlags',
  summary: 'Take the flags off an order that has been looked at; the timeline keeps them',
  group,
  status: 200,
  answer: acknowledgedUpdate(order),
  failures: ['NOT_FOUND', 'VERSION_MISMATCH'],
  versioned: true,
};

export const orderEndpoints: readonly Endpoint[] = [
  placeOrderEndpoint,
  listOrdersEndpoint,
  summaryEndpoint,
  salesEndpoint,
  unpaidAgesEndpoint,
  getOrderEndpoint,
  timelineEndpoint,
  setPaymentStatusEndpoint,
  setOrderStatusEndpoint,
  setPaymentStatusesEndpoint,
  setOrderStatusesEndpoint,
  cancelOrderEndpoint,
  clearFlagsEndpoint,
];
