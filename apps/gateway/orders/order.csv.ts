import type { Customer, Order } from '#libs/contracts';
import type { CsvColumns } from '../csv/csv-download.js';

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
  ['Needs attention', ({ flags }) => flags.join(' ')],
  ['Placed', ({ createdAt }) => createdAt],
  // Last, because programs may read the other columns by their position.
  ['Number', ({ number }) => String(number ?? '')],
];

export const customerColumns: CsvColumns<Customer> = [
  ['Name', ({ name }) => name],
  ['E-mail', ({ email }) => email],
  ['Orders', ({ orders }) => String(orders)],
  ['Spent (USD)', ({ spent }) => spent],
  ['Refunded (USD)', ({ refunded }) => refunded],
  ['First order', ({ firstOrderAt }) => firstOrderAt],
  ['Last order', ({ lastOrderAt }) => lastOrderAt],
  ['Customer', ({ _id }) => _id],
];
