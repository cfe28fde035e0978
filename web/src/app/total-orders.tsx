import { TotalOrders } from '../features/admin-orders/TotalOrders.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="All orders, newest first.">
      <TotalOrders />
    </AdminScreen>
  );
}
