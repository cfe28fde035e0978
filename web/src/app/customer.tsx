import { CustomerProfile } from '../features/admin-orders/CustomerProfile.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <CustomerProfile />
    </AdminScreen>
  );
}
