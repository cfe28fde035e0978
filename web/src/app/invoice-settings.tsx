import { InvoiceSettings } from '../features/admin-invoices/InvoiceSettings.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="What your invoices show, which tax they add and how they’re numbered. Issued ones stay as they are.">
      <InvoiceSettings />
    </AdminScreen>
  );
}
