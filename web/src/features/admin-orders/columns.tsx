import { Link } from 'react-router-dom';
import { type Order, paymentProvider } from '#libs/contracts';
import type { Column } from '../../workspace/DataTable.js';
import { money } from '../../workspace/formats.js';
import { StatusWord } from '../../workspace/orders/StatusWord.js';
import { adminsWord, orderStatusWord } from '../../workspace/orders/words.js';
import { Status } from '../../workspace/Status.js';

/** The documented columns of the order lists for admins. */
export const orderColumns = {
  serial: (first: number): Column<Order> => ({
    key: 'sl',
    head: 'SL',
    cell: (_, index) => first + index,
  }),
  date: {
    key: 'orderDate',
    head: 'Order Date',
    sortable: true,
    cell: ({ orderDate }) => <span className="unbroken">{orderDate}</span>,
  },
  name: {
    key: 'customerName',
    head: 'Customer Name',
    sortable: true,
    always: true,
    cell: ({ customerName }) => customerName,
  },
  email: { key: 'email', head: 'Customer Email', cell: ({ customerEmail }) => customerEmail },
  price: {
    key: 'packagePrice',
    head: 'Price',
    align: 'end',
    sortable: true,
    cell: ({ packagePrice }) => <span className="unbroken">{money(packagePrice)}</span>,
  },
  orderStatus: {
    key: 'orderStatus',
    head: 'Order Status',
    cell: ({ orderStatus }) => <StatusWord word={orderStatusWord(orderStatus)} />,
  },
  paymentStatus: { key: 'paymentStatus', head: 'Payment Status', cell: (order) => <Payment order={order} /> },
  method: { key: 'method', head: 'Payment Method', cell: () => paymentProvider.label },
  edit: (text: string): Column<Order> => ({
    key: 'edit',
    head: text,
    align: 'end',
    always: true,
    cell: ({ _id, customerName, orderDate }) => (
      <Link className="unbroken" to={`/admin/payment-status/${_id}`}>
        {text}
        <span className="visually-hidden">
          : {customerName}, {orderDate}
        </span>
      </Link>
    ),
  }),
} satisfies Record<string, Column<Order> | ((argument: never) => Column<Order>)>;

function Payment({ order }: { order: Order }) {
  return (
    <span className="order-payment">
      <StatusWord word={adminsWord(order)} />
      {order.flags.length > 0 && <Status tone="fault">Needs attention</Status>}
    </span>
  );
}
