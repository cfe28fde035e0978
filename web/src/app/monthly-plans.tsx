import { Link } from 'react-router-dom';
import { MonthlyPlans } from '../features/admin-orders/monthly-plans/MonthlyPlans.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen
      lead="Plans that customers pay every month until they cancel."
      actions={
        <>
          <Link className="button button--quiet" to="/admin/recurring-revenue">
            Recurring revenue
          </Link>
          <Link className="button button--quiet" to="/admin/price-change">
            Announce a new price to customers
          </Link>
        </>
      }
    >
      <MonthlyPlans />
    </AdminScreen>
  );
}
