import { Link } from 'react-router-dom';
import type { Invoice } from '#libs/contracts';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { pdfPolling } from '../../workspace/invoices/InvoicePdf.js';
import { invoiceColumns } from '../../workspace/invoices/invoice-columns.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { useCustomerScreenFilter } from '../../workspace/customer-screen-filter.js';

const pageSize = 12;

export function Component() {
  return (
    <CustomerScreen title="Invoices" lead="Your invoices and credit notes, newest first.">
      <MyInvoices />
    </CustomerScreen>
  );
}

const customerColumn: Column<Invoice> = {
  key: 'customer',
  head: 'Customer',
  compact: 'line',
  cell: ({ buyerName }) => buyerName,
};

/** Invoices of other customers are listed for colleagues with the role `billing`. */
const columnsOf = (hasOtherCustomers: boolean): readonly Column<Invoice>[] => [
  invoiceColumns.number,
  ...(hasOtherCustomers ? [customerColumn] : []),
  invoiceColumns.date,
  invoiceColumns.kind,
  invoiceColumns.order((orderId) => `/pay-now/${orderId}`),
  invoiceColumns.gross,
  invoiceColumns.pdf,
];

function MyInvoices() {
  const list = usePaged('GET /invoices', useCustomerScreenFilter(), { size: pageSize, polling: pdfPolling });
  const { id } = useAccount();
  const hasOtherCustomers = list.rows.data?.some(({ accountId }) => accountId !== id) ?? false;
  return (
    <section className="panel" aria-label="Invoices">
      <DataTable
        caption="Invoices"
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching invoices"
        columns={columnsOf(hasOtherCustomers)}
        empty={
          <Empty title="No invoices yet" action={<Link to="/account#billing-details">Billing details</Link>}>
            You get one for each payment, as a PDF file. You can add your company, address and VAT ID to it.
          </Empty>
        }
      />
      {(list.rows.total ?? 0) > pageSize && <Pager label="invoices" list={list} />}
    </section>
  );
}
