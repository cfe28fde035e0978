import './invoices.css';
import { Link } from 'react-router-dom';
import { formatOrderNumber, type Invoice } from '#libs/contracts';
import type { Column } from '../DataTable.js';
import { formatDay } from '../formats.js';
import { InvoicePdf } from './InvoicePdf.js';
import { invoiceKinds, noteOf, signedAmount } from './words.js';

export const invoiceColumns = {
  number: {
    key: 'number',
    head: 'Number',
    alwaysShown: true,
    compact: 'title',
    cell: ({ number }) => <span className="unbroken">{number}</span>,
  },
  date: {
    key: 'issuedOn',
    head: 'Date',
    sortable: true,
    compact: 'line',
    cell: ({ issuedOn }) => <span className="unbroken">{formatDay(issuedOn)}</span>,
  },
  kind: {
    key: 'kind',
    head: 'Kind',
    compact: 'line',
    cell: (invoice) => {
      const note = noteOf(invoice);
      return (
        <>
          <span className="unbroken">{invoiceKinds[invoice.kind]}</span>
          {note && <span className="status-note">{note}</span>}
        </>
      );
    },
  },
  order: (addressOf: (orderId: string) => string): Column<Invoice> => ({
    key: 'order',
    head: 'Order',
    compact: 'line',
    cell: (invoice) => (
      <Link className="unbroken invoice-order" to={addressOf(invoice.orderId)}>
        <span className="visually-hidden">Order </span>
        {formatOrderNumber({ _id: invoice.orderId, number: invoice.orderNumber })}
      </Link>
    ),
  }),
  gross: {
    key: 'gross',
    head: 'Amount',
    align: 'end',
    compact: 'end',
    cell: (invoice) => <span className="unbroken">{signedAmount(invoice.gross, invoice)}</span>,
  },
  pdf: {
    key: 'pdf',
    head: 'PDF',
    align: 'end',
    alwaysShown: true,
    compact: 'line',
    cell: (invoice) => <InvoicePdf invoice={invoice} />,
  },
} satisfies Record<string, Column<Invoice> | ((addressOf: (orderId: string) => string) => Column<Invoice>)>;
