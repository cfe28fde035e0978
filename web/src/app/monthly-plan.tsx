import { MonthlyPlanAdmin } from '../features/admin-orders/monthly-plans/MonthlyPlanAdmin.js';
import { ProjectsOf } from '../features/admin-projects/ProjectsOf.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <MonthlyPlanAdmin project={(subscription) => <ProjectsOf of={{ subscription }} />} />
    </AdminScreen>
  );
}
