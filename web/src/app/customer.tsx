import { CustomerProfile } from '../features/admin-orders/CustomerProfile.js';
import { RelatedProjects } from '../features/admin-projects/RelatedProjects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <CustomerProfile renderProjects={(customerId) => <RelatedProjects of={{ customer: customerId }} />} />
    </AdminScreen>
  );
}
