import './admin-invoices.css';
import { Link } from 'react-router-dom';
import type { Invoice } from '#libs/contracts';
import { FilterSelect } from '../../workspace/FilterSelect.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { DayField } from '../../workspace/DayField.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { counted } from '../../workspace/formats.js';
import { CorrectInvoice } from '../../workspace/invoices/CorrectInvoice.js';
import { invoiceColumns } from '../../workspace/invoices/invoice-columns.js';
import { pdfPolling } from '../../workspace/invoices/InvoicePdf.js';
import { invoiceKinds, signedAmount, taxText } from '../../workspace/invoices/words.js';
import { oneOf, useListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSort } from '../../workspace/sorting.js';
import { MonthDownload, type MonthDownloadProps } from './MonthDownload.js';

const size = 10;

const columns: readonly Column<Invoice>[] = [
  invoiceColumns.number,
  invoiceColumns.date,
  { key: 'buyer', head: 'Buyer', compact: 'line', cell: ({ buyerName }) => buyerName },
  invoiceColumns.order((orderId) => `/admin/payment-status/${orderId}`),
  invoiceColumns.kind,
  {
    key: 'tax',
    head: 'Tax',
    align: 'end',
    cell: (invoice) => (
      <>
        <span className="unbroken">{signedAmount(invoice.tax, invoice)}</span>
        <span className="status-note">{taxText(invoice)}</span>
      </>
    ),
  },
  invoiceColumns.gross,
  invoiceColumns.pdf,
  {
    key: 'correct',
    head: 'Correction',
    align: 'end',
    compact: 'line',
    cell: (invoice) => <CorrectInvoice invoice={invoice} />,
  },
];

export function Invoices(props: MonthDownloadProps) {
  const filter = useListFilter(['search', 'kind', 'from', 'to']);
  const { sort, query: sorting } = useSort(['issuedOn'], 'issuedOn');
  const { kind, ...others } = filter.values;
  const query = { ...others, kind: oneOf(invoiceKinds, kind), direction: sorting.direction };
  const list = usePaged('GET /invoices', query, { size, resizable: true, polling: pdfPolling });
  const { total } = list.rows;
  return (
    <section className="panel" aria-label="Invoices">
      <ListFilters label="Invoices" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="Number, buyer, e-mail or order" {...filter.field('search')} />
        <FilterSelect label="Kind" options={Object.entries(invoiceKinds)} {...filter.field('kind')} />
        <div className="day-range">
          <DayField label="From" {...filter.field('from')} />
          <DayField label="To" {...filter.field('to')} />
        </div>
      </ListFilters>
      <p className="invoice-count" role="status">
        {total !== undefined && `${counted(total, 'document')}${filter.active ? ' found' : ''}`}
      </p>
      <DataTable
        caption="Invoices"
        captionHidden
        skeletonRows={list.size}
        rememberAs="invoices"
        tools={
          <>
            <MonthDownload {...props} />
            <ExportLink href={pathOf('GET /invoices/export', { query })} what="invoices" />
          </>
        }
        rows={list.rows}
        rowKey={({ _id }) => _id}
        sort={sort}
        failure="Error fetching invoices"
        columns={columns}
        empty={
          filter.active ? (
            <NoMatches what="invoices" showAll={filter.clear} />
          ) : (
            <Empty
              title="No invoices yet"
              action={<Link to="/admin/invoice-settings">Invoice settings</Link>}
            >
              The first invoice is issued with the next payment.
            </Empty>
          )
        }
      />
      {Boolean(total) && <Pager label="invoices" list={list} />}
    </section>
  );
}
