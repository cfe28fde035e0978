import { CustomerProfile } from '../features/admin-orders/CustomerProfile.js';
import { ProjectsOf } from '../features/admin-projects/ProjectsOf.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <CustomerProfile projects={(customer) => <ProjectsOf of={{ customer }} />} />
    </AdminScreen>
  );
}
