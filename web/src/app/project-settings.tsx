import { ProjectSettings } from '../features/admin-projects/ProjectSettings.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="When customers are reminded to complete a brief or review work.">
      <ProjectSettings />
    </AdminScreen>
  );
}
