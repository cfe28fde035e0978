import './admin-orders.css';
import { formatOrderNumber, type Order } from '#libs/contracts';
import { useBulk } from '../../workspace/bulk.js';
import { BulkFailures } from '../../workspace/BulkFailures.js';
import { DataTable } from '../../workspace/DataTable.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { Empty } from '../../workspace/Empty.js';
import { counted } from '../../workspace/formats.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { pathOf } from '../../workspace/path.js';
import { useSelection } from '../../workspace/selection.js';
import { BulkStatusForm } from './BulkStatusForm.js';
import { orderColumns } from './order-columns.js';
import { customerNameOf } from './customer-name.js';
import { OrderFilters } from './OrderFilters.js';
import { useOrderFilter } from './order-filter.js';

/** Orders per page, as the specification says. */
const size = 5;

const nameOf = (order: Order) => `${formatOrderNumber(order)}, ${customerNameOf(order)}, ${order.orderDate}`;

export function TotalOrders() {
  const filter = useOrderFilter();
  const list = usePaged('GET /orders', filter.query, { size, resizable: true });
  const { total } = list.rows;
  const selection = useSelection(list.rows.data);
  const bulk = useBulk(selection, (id) => {
    const order = list.rows.data?.find(({ _id }) => _id === id);
    return order ? nameOf(order) : 'An order';
  });
  return (
    <section className="panel" aria-label="Orders">
      <OrderFilters filter={filter} />
      <p className="list-count" role="status">
        {total !== undefined && `${counted(total, 'order')}${filter.active ? ' found' : ''}`}
      </p>
      <BulkFailures bulk={bulk} />
      <DataTable
        caption="Total Orders"
        captionHidden
        skeletonRows={list.size}
        rememberAs="orders"
        tools={<ExportLink href={pathOf('GET /orders/export', { query: filter.query })} what="orders" />}
        rowSelection={{
          selection,
          nameOf,
          actions: <BulkStatusForm bulk={bulk} selection={selection} />,
        }}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        sort={filter.sort}
        failure="Error fetching orders"
        columns={[
          orderColumns.serial(list.first),
          orderColumns.date,
          orderColumns.name,
          orderColumns.email,
          orderColumns.package,
          orderColumns.price,
          orderColumns.orderStatus,
          orderColumns.paymentStatus,
          orderColumns.method,
          orderColumns.edit('Edit Status'),
        ]}
        empty={
          filter.active ? (
            <NoMatches what="orders" showAll={filter.clear} />
          ) : (
            <Empty title="No orders yet">Orders appear here as soon as they are placed.</Empty>
          )
        }
      />
      {Boolean(total) && <Pager label="orders" list={list} />}
    </section>
  );
}
