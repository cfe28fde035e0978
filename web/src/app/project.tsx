import { ProjectWork } from '../features/admin-projects/project/ProjectWork.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return <ProjectWork Frame={AdminScreen} />;
}
