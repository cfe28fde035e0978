import { Link } from 'react-router-dom';
import { formatOrderNumber, type Order } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { formatOrderDay } from '../../workspace/formats.js';
import { refundStatus } from '../../workspace/orders/words.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { orderColumns } from './order-columns.js';

const size = 5;

const columns: readonly Column<Order>[] = [
  { ...orderColumns.package, compact: 'title' },
  {
    ...orderColumns.date,
    cell: ({ orderDate }) => <span className="unbroken">{formatOrderDay(orderDate)}</span>,
  },
  orderColumns.price,
  orderColumns.orderStatus,
  orderColumns.paymentStatus,
  {
    key: 'payments',
    head: 'Payments',
    cell: ({ payments }) =>
      payments.length === 0
        ? '–'
        : payments.map(({ txnId, amount, state }) => (
            <span className="order-transaction" key={txnId}>
              {money(amount)} {state.replaceAll('_', ' ')}
            </span>
          )),
  },
  { key: 'refund', head: 'Refund', cell: (order) => refundStatus(order)?.text ?? '–' },
  {
    key: 'open',
    head: 'Order',
    align: 'end',
    compact: 'open',
    cell: (order) => (
      <Link className="unbroken data-table__open" to={`/admin/payment-status/${order._id}`}>
        View order
        <span className="visually-hidden">
          : {formatOrderNumber(order)}, {order.packageName}, {formatOrderDay(order.orderDate)}
        </span>
      </Link>
    ),
  },
];

export function CustomerOrders({ customerId }: { customerId: string }) {
  const list = usePaged('GET /orders', { customer: customerId }, { size, param: 'orders' });
  return (
    <section className="panel" aria-labelledby="customer-orders">
      <h2 id="customer-orders">Orders and payments</h2>
      <DataTable
        caption="Orders and payments"
        captionHidden
        skeletonRows={1}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        failure="Error fetching orders"
        columns={columns}
        empty={<Empty title="No orders" />}
      />
      {(list.rows.total ?? 0) > size && <Pager label="orders" list={list} />}
    </section>
  );
}
