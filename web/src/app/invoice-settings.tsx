import { InvoiceSettings } from '../features/admin-invoices/InvoiceSettings.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="What your invoices show, how you charge tax and how invoices are numbered. Issued invoices don’t change.">
      <InvoiceSettings />
    </AdminScreen>
  );
}
