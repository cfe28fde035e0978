import './orders.css';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi, type Problem } from '../../lib/api.js';
import { changeSession } from '../../lib/session.js';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { Cards } from '../../workspace/Figures.js';
import { count, money } from '../../workspace/formats.js';
import { useQuery } from '../../workspace/query.js';
import { OrdersTable } from './OrdersTable.js';

/** Rows of a page, as documented. */
const pageSize = 3;

export function Component() {
  const { email } = useAccount();
  return (
    <CustomerScreen
      title="Welcome to User Dashboard"
      lead={`You’re signed in as ${email}.`}
      actions={<Signout />}
    >
      <Overview />
      <section className="panel" aria-labelledby="my-orders">
        <h2 id="my-orders">My Orders</h2>
        <OrdersTable caption="My Orders" captionHidden size={pageSize} />
      </section>
    </CustomerScreen>
  );
}

function Overview() {
  const { data, problem } = useQuery('GET /orders/summary', { query: { own: true } });
  const unknown = problem ? 'Not available' : '\u00a0';
  return (
    <Cards
      label="Overview"
      links={[
        { to: '/my-order', title: 'My Orders', figure: data ? count(data.orders) : unknown },
        { to: '/', title: 'Total Spent', figure: data ? money(data.totalSales) : unknown },
        { to: '/contact', title: 'Support', figure: 'Get in touch' },
      ]}
    />
  );
}

function Signout() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem>();
  async function leave(): Promise<void> {
    const answer = await callApi('POST /auth/logout');
    if (!answer.ok) return setProblem(answer.problem);
    changeSession({ status: 'signed-out' });
    await navigate('/');
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
