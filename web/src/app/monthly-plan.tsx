import { AdminMonthlyPlan } from '../features/admin-orders/monthly-plans/AdminMonthlyPlan.js';
import { RelatedProjects } from '../features/admin-projects/RelatedProjects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <AdminMonthlyPlan renderProjects={(planId) => <RelatedProjects of={{ subscription: planId }} />} />
    </AdminScreen>
  );
}
