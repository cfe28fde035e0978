import { OrderAdmin } from '../features/admin-orders/OrderAdmin.js';
import { RelatedProjects } from '../features/admin-projects/RelatedProjects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen title="Update Order">
      <OrderAdmin renderProjects={(orderId) => <RelatedProjects of={{ order: orderId }} />} />
    </AdminScreen>
  );
}
