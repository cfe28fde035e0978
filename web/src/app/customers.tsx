import { Customers } from '../features/admin-orders/Customers.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="Everyone who has placed an order, latest order first.">
      <Customers />
    </AdminScreen>
  );
}
