import { Link } from 'react-router-dom';
import type { Invoice } from '#libs/contracts';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { whileRendering } from '../../workspace/invoices/InvoicePdf.js';
import { invoiceColumns } from '../../workspace/invoices/invoice-columns.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';

/** Rows of a page. */
const size = 12;

export function Component() {
  return (
    <CustomerScreen title="Invoices" lead="Your invoices and credit notes, newest first.">
      <MyInvoices />
    </CustomerScreen>
  );
}

const columns: readonly Column<Invoice>[] = [
  invoiceColumns.number,
  invoiceColumns.date,
  invoiceColumns.kind,
  invoiceColumns.order((orderId) => `/pay-now/${orderId}`),
  invoiceColumns.gross,
  invoiceColumns.pdf,
];

function MyInvoices() {
  const list = usePaged('GET /invoices', { own: true }, { size, polling: whileRendering });
  return (
    <section className="panel" aria-label="Invoices">
      <DataTable
        caption="Invoices"
        captionHidden
        size={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching invoices"
        columns={columns}
        empty={
          <Empty title="No invoices yet" action={<Link to="/account#billing-details">Billing details</Link>}>
            You get one for each payment, as a PDF file. Your company, address and VAT ID can be on it.
          </Empty>
        }
      />
      {(list.rows.total ?? 0) > size && <Pager label="invoices" list={list} />}
    </section>
  );
}
