import './admin-orders.css';
import { Link } from 'react-router-dom';
import { DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { Failure } from '../../workspace/Failure.js';
import { Figure, Figures } from '../../workspace/Figures.js';
import { money } from '../../lib/money.js';
import { formatNumber } from '../../workspace/formats.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { useQuery } from '../../workspace/query.js';
import { orderColumns } from './order-columns.js';

/** As the specification says. */
const size = 5;

export function OrderFigures() {
  const summary = useQuery('GET /orders/summary');
  if (summary.problem) return <Failure what="Error fetching totals" query={summary} />;
  const { data } = summary;
  return (
    <Figures>
      <Figure
        label="Total Sales"
        value={data && money(data.totalSales)}
        note={data && Number(data.refunded) > 0 && `${money(data.refunded)} refunded`}
      />
      <Figure
        label="Orders paid"
        value={data && formatNumber(data.byPaymentStatus.Paid)}
        note={data && `of ${formatNumber(data.orders)}`}
      />
      <Figure
        label="Orders pending"
        value={data && formatNumber(data.byOrderStatus.Pending)}
        note={<Link to="/total-orders?orderStatus=Pending">Not delivered yet</Link>}
      />
      <Figure
        label="Needs attention"
        value={data && formatNumber(data.flagged)}
        note={data && data.flagged > 0 && <Link to="/total-orders?flagged=true">Show orders</Link>}
      />
    </Figures>
  );
}

export function DashboardOrderList() {
  const list = usePaged('GET /orders', {}, { size, param: 'orders' });
  return (
    <section className="panel" aria-labelledby="total-orders">
      <h2 id="total-orders">Total Orders</h2>
      <DataTable
        caption="Total Orders"
        captionHidden
        skeletonRows={size}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching orders"
        columns={[
          orderColumns.serial(list.first),
          orderColumns.date,
          orderColumns.name,
          orderColumns.package,
          orderColumns.price,
          orderColumns.orderStatus,
          orderColumns.paymentStatus,
          orderColumns.edit('Update Order'),
        ]}
        empty={<Empty title="No orders yet">Orders appear here as soon as they are placed.</Empty>}
      />
      {Boolean(list.rows.total) && <Pager label="orders" list={list} />}
    </section>
  );
}
