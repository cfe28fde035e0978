import { MonthlyPlanAdmin } from '../features/admin-orders/monthly-plans/MonthlyPlanAdmin.js';
import { RelatedProjects } from '../features/admin-projects/RelatedProjects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <MonthlyPlanAdmin renderProjects={(planId) => <RelatedProjects of={{ subscription: planId }} />} />
    </AdminScreen>
  );
}
