import './orders.css';
import { Link, useLocation } from 'react-router-dom';
import { formatOrderNumber } from '#libs/contracts';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { money } from '../../lib/money.js';
import { totalOf } from '../../workspace/orders/words.js';
import { useQuery } from '../../workspace/query.js';
import { OrdersTable } from './OrdersTable.js';
import { ordersPageSize } from './page-size.js';

/** Lists all orders, not only pending ones; the specification prescribes the title. */
export function Component() {
  return (
    <CustomerScreen
      title="Your Pending Orders"
      lead="All your orders, newest first. You can pay for unpaid ones here."
    >
      <JustPlaced />
      <OrdersTable caption="Your Pending Orders" captionHidden size={ordersPageSize} />
    </CustomerScreen>
  );
}

/** For customers who come straight from the order form. */
function JustPlaced() {
  const { placedOrderId } = (useLocation().state ?? {}) as { placedOrderId?: string };
  const order = useQuery('GET /order/:id', placedOrderId ? { params: { id: placedOrderId } } : null);
  return (
    <div role="status">
      {order.data?.payable && (
        <div className="just-placed">
          <p>
            Your order {formatOrderNumber(order.data)} for {order.data.packageName} has been placed. We’ll
            open your project once the order is paid.
          </p>
          <Link className="button" to={`/pay-now/${placedOrderId}`}>
            Pay {money(totalOf(order.data))}
          </Link>
        </div>
      )}
    </div>
  );
}
