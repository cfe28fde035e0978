import type { Order } from '#libs/contracts';
import { type CsvColumns, csvEndpoint } from '../csv/csv-download.js';
import { listOrdersEndpoint } from './order.endpoints.js';

/** Everything that the list can be narrowed by, but not a part of it. */
export const exportOrdersEndpoint = csvEndpoint({
  path: '/orders/export',
  operationId: 'exportOrders',
  summary: 'All orders that pass the filter, as a CSV file',
  group: listOrdersEndpoint.group,
  query: listOrdersEndpoint.query!.omit({ page: true, limit: true, cursor: true, own: true }),
});

export const orderColumns: CsvColumns<Order> = [
  ['Order', ({ _id }) => _id],
  ['Order date', ({ orderDate }) => orderDate],
  ['Customer name', ({ customerName }) => customerName],
  ['Customer e-mail', ({ customerEmail }) => customerEmail],
  ['Address', ({ customerAddress }) => customerAddress],
  ['Country', ({ customerCountry }) => customerCountry],
  ['Package', ({ packageName }) => packageName],
  ['Price (USD)', ({ packagePrice }) => packagePrice],
  ['Order status', ({ orderStatus }) => orderStatus],
  ['Payment status', ({ paymentStatus }) => paymentStatus],
  ['Payment state', ({ paymentState }) => paymentState],
  ['Refunded (USD)', ({ refunded }) => refunded],
  ['Disputed (USD)', ({ disputed }) => disputed],
  ['Transactions', ({ payments }) => payments.map(({ txnId }) => txnId).join(' ')],
  ['Needs a look', ({ flags }) => flags.join(' ')],
  ['Placed', ({ createdAt }) => createdAt],
];
