import { InvoiceSettings } from '../features/admin-invoices/InvoiceSettings.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen lead="What your invoices show, and how they’re taxed and numbered. Issued ones stay as they are.">
      <InvoiceSettings />
    </AdminScreen>
  );
}
