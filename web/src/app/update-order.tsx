import { OrderAdmin } from '../features/admin-orders/OrderAdmin.js';
import { ProjectsOf } from '../features/admin-projects/ProjectsOf.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen title="Update Order">
      <OrderAdmin project={(order) => <ProjectsOf of={{ order }} />} />
    </AdminScreen>
  );
}
