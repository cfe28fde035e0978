import { ProjectSettings } from '../features/admin-projects/ProjectSettings.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="When customers are reminded of what their projects expect of them.">
      <ProjectSettings />
    </AdminScreen>
  );
}
