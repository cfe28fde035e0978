import { TemplateEditor } from '../features/admin-projects/templates/TemplateEditor.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return <TemplateEditor Frame={AdminScreen} />;
}
