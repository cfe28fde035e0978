import { Link } from 'react-router-dom';
import { formatOrderNumber, type Order, paymentProvider } from '#libs/contracts';
import type { Column } from '../../workspace/DataTable.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';
import { money } from '../../lib/money.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { orderStatusText, paymentStatusForAdmin } from '../../workspace/orders/words.js';
import { Status } from '../../workspace/Status.js';
import { customerNameOf } from './customer-name.js';

export const orderColumns = {
  serial: (first: number): Column<Order> => ({
    key: 'sl',
    head: 'SL',
    cell: (_, index) => <span className="unbroken">{first + index}</span>,
  }),
  date: {
    key: 'orderDate',
    head: 'Order Date',
    sortable: true,
    compact: 'line',
    cell: ({ orderDate }) => <span className="unbroken">{orderDate}</span>,
  },
  name: {
    key: 'customerName',
    head: 'Customer Name',
    sortable: true,
    alwaysShown: true,
    compact: 'title',
    cell: (order) => (
      <>
        {customerNameOf(order)}
        <DemoLabel email={order.customerEmail} />
      </>
    ),
  },
  email: {
    key: 'email',
    head: 'Customer Email',
    cell: ({ customerEmail }) => <EmailAddress email={customerEmail} />,
  },
  price: {
    key: 'packagePrice',
    head: 'Price',
    align: 'end',
    sortable: true,
    compact: 'end',
    cell: ({ packagePrice }) => <span className="unbroken">{money(packagePrice)}</span>,
  },
  /** On narrow screens, shows only the number, unless this column is the row's title. */
  package: {
    key: 'package',
    head: 'Package',
    compact: 'line',
    cell: (order) => (
      <span className="order-package">
        <span>{order.packageName}</span>{' '}
        <span className="order-package__number">{formatOrderNumber(order)}</span>
      </span>
    ),
  },
  orderStatus: {
    key: 'orderStatus',
    head: 'Order Status',
    compact: 'line',
    cell: ({ orderStatus }) => <StatusWord status={orderStatusText(orderStatus)} />,
  },
  paymentStatus: {
    key: 'paymentStatus',
    head: 'Payment Status',
    compact: 'line',
    cell: (order) => <PaymentStatus order={order} />,
  },
  method: { key: 'method', head: 'Payment Method', cell: () => paymentProvider.label },
  edit: (text: string): Column<Order> => ({
    key: 'edit',
    head: text,
    align: 'end',
    alwaysShown: true,
    compact: 'open',
    cell: (order) => (
      <Link className="unbroken data-table__open" to={`/admin/payment-status/${order._id}`}>
        {text}
        <span className="visually-hidden">
          : {formatOrderNumber(order)}, {customerNameOf(order)}, {order.orderDate}
        </span>
      </Link>
    ),
  }),
} satisfies Record<string, Column<Order> | ((argument: never) => Column<Order>)>;

function PaymentStatus({ order }: { order: Order }) {
  return (
    <span className="status-cell">
      <StatusWord status={paymentStatusForAdmin(order)} />
      {order.flags.length > 0 && <Status tone="fault">Needs attention</Status>}
    </span>
  );
}
