import { ProjectAdmin } from '../features/admin-projects/project/ProjectAdmin.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return <ProjectAdmin Frame={AdminScreen} />;
}
