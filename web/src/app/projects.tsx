import { Projects } from '../features/admin-projects/Projects.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen>
      <Projects />
    </AdminScreen>
  );
}
