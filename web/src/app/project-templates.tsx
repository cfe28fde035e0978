import { Templates } from '../features/admin-projects/templates/Templates.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="What the projects of each package begin with: questions for the customer, a checklist and the delivery time.">
      <Templates />
    </AdminScreen>
  );
}
