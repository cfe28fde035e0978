import { OrderAdmin } from '../features/admin-orders/OrderAdmin.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen title="Update Order">
      <OrderAdmin />
    </AdminScreen>
  );
}
