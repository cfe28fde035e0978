import './orders.css';
import { Link } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Cards } from '../../workspace/Figures.js';
import { money } from '../../lib/money.js';
import { formatNumber } from '../../workspace/formats.js';
import { whatHappensNext } from '../../workspace/monthly-plans/words.js';
import { PendingSteps } from '../../workspace/projects/PendingSteps.js';
import { useQuery } from '../../workspace/query.js';
import { useSignOut } from '../../workspace/sign-out.js';
import { OrdersTable } from './OrdersTable.js';
import { useCustomerScreenFilter } from '../../workspace/customer-screen-filter.js';

/** As the specification says. */
const pageSize = 3;

export function Component() {
  const { email, role } = useAccount();
  return (
    <CustomerScreen
      title="Welcome to User Dashboard"
      lead={
        <>
          You’re signed in as {email}.
          {role === 'Admin' && (
            <>
              {' '}
              This is what customers see. To run the site, go to the <Link to="/admin">admin panel</Link>.
            </>
          )}
        </>
      }
      actions={<Signout />}
    >
      <PendingSteps />
      <Plans />
      <Overview />
      <section className="panel" aria-labelledby="my-orders">
        <h2 id="my-orders">My Orders</h2>
        <OrdersTable caption="My Orders" captionHidden size={pageSize} />
      </section>
    </CustomerScreen>
  );
}

function Plans() {
  const plans = useQuery('GET /plan-subscriptions', { query: useCustomerScreenFilter() });
  const { id } = useAccount();
  const current = plans.data?.filter(({ state }) => state !== 'ended') ?? [];
  if (current.length === 0) return null;
  return (
    <ul className="plan-lines" aria-label="Monthly plans">
      {current.map((plan) => (
        <li key={plan._id}>
          <Link to={`/monthly-plan/${plan._id}`}>{plan.packageName}</Link>
          {plan.accountId !== id && ` for ${plan.customerName}`}: {whatHappensNext(plan)}
        </li>
      ))}
    </ul>
  );
}

/** The specification says where each card leads. */
function Overview() {
  const { data, problem } = useQuery('GET /orders/summary', { query: useCustomerScreenFilter() });
  const unknown = problem ? 'Not available' : '\u00a0';
  return (
    <Cards
      label="Overview"
      links={[
        { to: '/my-order', title: 'My Orders', figure: data ? formatNumber(data.orders) : unknown },
        { to: '/', title: 'Total Spent', figure: data ? money(data.totalSales) : unknown },
        { to: '/contact', title: 'Support', figure: 'Get in touch' },
      ]}
    />
  );
}

function Signout() {
  const { signOut, problem } = useSignOut();
  return (
    <>
      <button className="button button--quiet" type="button" onClick={() => void signOut()}>
        Signout
      </button>
      <FormProblem problem={problem} />
    </>
  );
}
