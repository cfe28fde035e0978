import './admin-orders.css';
import { Link } from 'react-router-dom';
import type { Customer } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { formatNumber, counted } from '../../workspace/formats.js';
import { useListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import { SearchField } from '../../workspace/SearchField.js';
import { useSort } from '../../workspace/sorting.js';
import { When } from '../../workspace/When.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';

const size = 10;

const columns: readonly Column<Customer>[] = [
  {
    key: 'name',
    head: 'Name',
    sortable: true,
    alwaysShown: true,
    compact: 'title',
    cell: ({ name, email }) => (
      <>
        {name}
        <DemoLabel email={email} />
      </>
    ),
  },
  { key: 'email', head: 'E-mail', compact: 'line', cell: ({ email }) => <EmailAddress email={email} /> },
  {
    key: 'orders',
    head: 'Orders',
    align: 'end',
    cell: ({ orders }) => formatNumber(orders),
  },
  {
    key: 'spent',
    head: 'Spent',
    align: 'end',
    sortable: true,
    compact: 'end',
    cell: ({ spent }) => <span className="unbroken">{money(spent)}</span>,
  },
  {
    key: 'lastOrderAt',
    head: 'Last order',
    sortable: true,
    compact: 'line',
    cell: ({ lastOrderAt }) => <Day at={lastOrderAt} />,
  },
  {
    key: 'firstOrderAt',
    head: 'Customer since',
    cell: ({ firstOrderAt }) => <Day at={firstOrderAt} />,
  },
  {
    key: 'open',
    head: 'Profile',
    align: 'end',
    alwaysShown: true,
    compact: 'open',
    cell: ({ _id, name }) => (
      <Link className="unbroken data-table__open" to={`/customer/${_id}`}>
        View profile<span className="visually-hidden"> of {name}</span>
      </Link>
    ),
  },
];

function Day({ at }: { at: string }) {
  return (
    <span className="unbroken">
      <When at={at} />
    </span>
  );
}

/** Everyone who has placed an order, except deleted accounts. */
export function Customers() {
  const filter = useListFilter(['search']);
  const { sort, query } = useSort(['lastOrderAt', 'name', 'spent'], 'lastOrderAt');
  const listQuery = { ...query, search: filter.values.search };
  const list = usePaged('GET /customers', listQuery, { size, resizable: true });
  const { total } = list.rows;
  return (
    <section className="panel" aria-label="Customers">
      <ListFilters label="Customers" active={filter.active} clear={filter.clear}>
        <SearchField placeholder="Name or e-mail" {...filter.field('search')} />
      </ListFilters>
      <p className="list-count" role="status">
        {total !== undefined && `${counted(total, 'customer')}${filter.active ? ' found' : ''}`}
      </p>
      <DataTable
        caption="Customers"
        captionHidden
        skeletonRows={list.size}
        rememberAs="customers"
        tools={<ExportLink href={pathOf('GET /customers/export', { query: listQuery })} what="customers" />}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        sort={sort}
        columns={columns}
        empty={
          filter.active ? (
            <NoMatches what="customers" showAll={filter.clear} />
          ) : (
            <Empty title="No customers yet">People appear here once they’ve placed an order.</Empty>
          )
        }
      />
      {Boolean(total) && <Pager label="customers" list={list} />}
    </section>
  );
}
