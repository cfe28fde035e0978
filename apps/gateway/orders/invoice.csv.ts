import type { Invoice } from '#libs/contracts';
import type { CsvColumns } from '../csv/csv-download.js';

const kindLabels = { invoice: 'Invoice', credit_note: 'Credit note' } as const;

export const invoiceColumns: CsvColumns<Invoice> = [
  ['Number', ({ number }) => number],
  ['Kind', ({ kind }) => kindLabels[kind]],
  ['Date', ({ issuedOn }) => issuedOn],
  ['Reason', ({ cause }) => cause],
  ['Refers to', ({ cites }) => cites?.number ?? ''],
  ['Buyer', ({ buyerName }) => buyerName],
  ['Country', ({ buyerCountry }) => buyerCountry],
  ['Order number', ({ orderNumber }) => String(orderNumber)],
  ['Currency', ({ currency }) => currency],
  ['Net', ({ net }) => net],
  ['Tax', ({ tax }) => tax],
  ['Gross', ({ gross }) => gross],
  ['Tax category', ({ taxCategory }) => taxCategory],
  ['Tax rate', ({ taxRate }) => taxRate],
  ['Order', ({ orderId }) => orderId],
  ['Document', ({ _id }) => _id],
];
