import { Link } from 'react-router-dom';
import { InvoiceIntroduction } from '../features/admin-invoices/InvoiceIntroduction.js';
import { Invoices } from '../features/admin-invoices/Invoices.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';
import { Loaded } from '../workspace/Loaded.js';
import { useQuery } from '../workspace/query.js';

export function Component() {
  const settings = useQuery('GET /invoice-settings');
  const issuesInvoices = Boolean(settings.data?.issuesFrom);
  return (
    <AdminScreen
      lead={issuesInvoices && 'Invoices and credit notes of all customers.'}
      actions={
        issuesInvoices && (
          <Link className="button button--quiet" to="/admin/invoice-settings">
            Invoice settings
          </Link>
        )
      }
    >
      <Loaded query={settings}>
        {({ issuesFrom, timeZone }) =>
          issuesFrom ? <Invoices issuesFrom={issuesFrom} timeZone={timeZone} /> : <InvoiceIntroduction />
        }
      </Loaded>
    </AdminScreen>
  );
}
