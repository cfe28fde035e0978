import { AdminOrder } from '../features/admin-orders/AdminOrder.js';
import { RelatedProjects } from '../features/admin-projects/RelatedProjects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen title="Update Order">
      <AdminOrder renderProjects={(orderId) => <RelatedProjects of={{ order: orderId }} />} />
    </AdminScreen>
  );
}
