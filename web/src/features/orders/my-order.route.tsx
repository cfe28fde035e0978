import './orders.css';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { OrdersTable } from './OrdersTable.js';
import { ordersPageSize } from './page-size.js';

export function Component() {
  return (
    <CustomerScreen title="My Orders" lead="All your orders, newest first.">
      <OrdersTable caption="My Orders" captionHidden size={ordersPageSize} />
    </CustomerScreen>
  );
}
