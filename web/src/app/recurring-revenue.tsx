import { RecurringRevenue } from '../features/admin-orders/monthly-plans/RecurringRevenue.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="What monthly plans bring in, and how that changes.">
      <RecurringRevenue />
    </AdminScreen>
  );
}
