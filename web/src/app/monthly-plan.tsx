import { MonthlyPlanAdmin } from '../features/admin-orders/monthly-plans/MonthlyPlanAdmin.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <MonthlyPlanAdmin />
    </AdminScreen>
  );
}
