import './orders.css';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { OrdersSummary } from '#libs/contracts';
import { FormProblem } from '../../components/FormProblem.js';
import type { Problem } from '../../lib/api.js';
import { signOut } from '../../lib/session.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { count, money } from '../../workspace/formats.js';
import { useQuery } from '../../workspace/query.js';
import { OrdersTable } from './OrdersTable.js';

/** Of the specification. */
const pageSize = 3;

export function Component() {
  return (
    <CustomerScreen
      title="Welcome to User Dashboard"
      lead={({ email }) => `You are signed in as ${email}.`}
      actions={<Signout />}
    >
      {(account) => (
        <>
          <Overview />
          <section className="panel" aria-labelledby="my-orders">
            <h2 id="my-orders">My Orders</h2>
            <OrdersTable account={account} caption="My Orders" captionHidden size={pageSize} />
          </section>
        </>
      )}
    </CustomerScreen>
  );
}

function Overview() {
  const { data, problem } = useQuery<OrdersSummary>('/orders/summary?own=true');
  const unknown = problem ? 'Not known now' : '\u00a0';
  return (
    <ul className="overview" aria-label="Overview">
      <OverviewCard to="/my-order" title="My Orders" figure={data ? count(data.orders) : unknown} />
      <OverviewCard to="/" title="Total Spent" figure={data ? money(data.totalSales) : unknown} />
      <OverviewCard to="/contact" title="Support" figure="Write or call" />
    </ul>
  );
}

function OverviewCard({ to, title, figure }: { to: string; title: string; figure: string }) {
  return (
    <li>
      <Link className="overview__card" to={to}>
        <span className="overview__title">{title}</span>
        <span className="overview__figure">{figure}</span>
      </Link>
    </li>
  );
}

function Signout() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem>();
  async function leave(): Promise<void> {
    const answer = await signOut();
    if (answer.ok) await navigate('/');
    else setProblem(answer.problem);
  }
  return (
    <>
      <button className="button button--quiet" type="button" onClick={() => void leave()}>
        Signout
      </button>
      <FormProblem problem={problem} />
    </>
  );
}
