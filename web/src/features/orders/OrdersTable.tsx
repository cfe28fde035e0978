import { Link } from 'react-router-dom';
import { type Account, formatOrderNumber, type Order } from '#libs/contracts';
import { useAccount } from '../../workspace/current-screen.js';
import { type Column, DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { money } from '../../lib/money.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { orderStatusText, paymentStatusForCustomer, totalOf } from '../../workspace/orders/words.js';
import { Pager } from '../../workspace/Pager.js';
import { usePaged } from '../../workspace/paging.js';
import { useQuery } from '../../workspace/query.js';
import { OrderAgainButton } from './OrderAgainButton.js';
import { useCustomerScreenFilter } from '../../workspace/customer-screen-filter.js';

interface OrdersTableProps {
  caption: string;
  /** For tables below a heading with the same words. */
  captionHidden?: boolean;
  size: number;
}

/** A customer's own orders, and those of customers in whose teams they have the role `billing`. Admins see only their own orders here. */
export function OrdersTable({ caption, captionHidden, size }: OrdersTableProps) {
  const account = useAccount();
  const list = usePaged('GET /orders', useCustomerScreenFilter(), { size });
  const projectIds = useProjectIdsByOrder();
  const hasOtherCustomers = list.rows.data?.some(({ accountId }) => accountId !== account.id) ?? false;
  const columns: readonly Column<Order>[] = [
    { key: 'serial', head: 'Sl No', cell: (_, index) => list.first + index },
    {
      key: 'date',
      head: 'Order Date',
      cell: (order) => <OrderLink order={order} projectId={projectIds.get(order._id)} />,
    },
    {
      key: 'name',
      head: hasOtherCustomers ? 'Customer' : 'Your Name',
      cell: ({ customerName }) => customerName,
    },
    {
      key: 'order',
      head: 'Order Status',
      cell: ({ orderStatus }) => <StatusWord status={orderStatusText(orderStatus)} />,
    },
    {
      key: 'payment',
      head: 'Payment Status',
      cell: (order) => <PaymentCell order={order} account={account} />,
    },
  ];
  return (
    <>
      <DataTable
        caption={caption}
        captionHidden={captionHidden}
        columns={columns}
        rows={list.rows}
        rowKey={({ _id }) => _id}
        skeletonRows={size}
        failure="Error fetching orders"
        empty={<NoOrders />}
      />
      {Boolean(list.rows.total) && <Pager label={caption} list={list} />}
    </>
  );
}

/** Only the most recently active projects are read. An order whose project is not among them has no link to it. */
const projectLimit = 100;

/** Project ids by order id. */
function useProjectIdsByOrder(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery('GET /projects', { query: { limit: projectLimit } });
  return new Map(data.flatMap(({ _id, orders }) => orders.map((order) => [order._id, _id])));
}

function OrderLink({ order, projectId }: { order: Order; projectId: string | undefined }) {
  return (
    <span className="order-link">
      <Link to={`/pay-now/${order._id}`}>
        <span className="visually-hidden">Order of </span>
        {order.orderDate}
      </Link>
      <span className="order-link__package">
        {formatOrderNumber(order)}: {order.packageName}, {money(totalOf(order))}
        {order.renewal && ', monthly plan'}
      </span>
      {projectId && (
        <Link className="order-link__project" to={`/project/${projectId}`}>
          Project<span className="visually-hidden"> of order {formatOrderNumber(order)}</span>
        </Link>
      )}
    </span>
  );
}

function PaymentCell({ order, account }: { order: Order; account: Account }) {
  const status = paymentStatusForCustomer(order, order.accountId === account.id);
  const isUnpaid = order.paymentState === 'unpaid';
  return (
    <span className="payment-cell">
      {!(order.payable && isUnpaid) && <StatusWord status={status} />}
      {order.payable && (
        <Link className="pay-link" to={`/pay-now/${order._id}`}>
          Pay Now
        </Link>
      )}
      {order.paymentStatus === 'Cancelled' && order.accountId === account.id && (
        <OrderAgainButton order={order} account={account} small />
      )}
    </span>
  );
}

function NoOrders() {
  return (
    <Empty
      title="No orders yet"
      action={
        <Link className="button" to="/pricing/">
          See plans
        </Link>
      }
    >
      You haven’t ordered a plan yet.
    </Empty>
  );
}
