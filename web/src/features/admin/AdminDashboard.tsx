import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../components/Icon.js';
import { Waiting } from '../../components/Waiting.js';
import { usePageData, useWholeSite } from '../../lib/site.js';
import { Cards } from '../../workspace/Figures.js';
import { count } from '../../workspace/formats.js';
import { type Query, useQuery } from '../../workspace/query.js';
import { AdminScreen } from './AdminScreen.js';
import { DemoDataCallout } from './DemoDataCallout.js';
import { type FirstStep, firstSteps } from './first-steps.js';
import { SubscriberTable } from './SubscriberTable.js';

interface AdminDashboardProps {
  /** Sales figures. */
  sales: ReactNode;
  /** Sales over time, and unpaid orders. */
  charts: ReactNode;
  /** The newest orders. */
  orders: ReactNode;
}

/**
 * The start screen of the admin area. Its order blocks are passed in, because features do not import each
 * other.
 */
export function AdminDashboard(blocks: AdminDashboardProps) {
  return (
    <AdminScreen title="Welcome to Admin Panel">
      <Dashboard {...blocks} />
    </AdminScreen>
  );
}

function Dashboard({ sales, charts, orders }: AdminDashboardProps) {
  const paypal = useQuery('GET /paypal-email');
  const demo = useQuery('GET /demo-data');
  const unread = useQuery('GET /messages', { query: { messageStatus: 'UnRead', limit: 1 } }).total;
  const site = useWholeSite();
  const { readAt } = usePageData();
  const payment = paypal.data?.[0];
  // The first steps come above everything else: nothing is shown until it is known whether there are any, so
  // that nothing moves.
  const isKnown = ({ data, problem }: Query<unknown>) => data !== undefined || problem !== undefined;
  if (readAt === 0 || !isKnown(paypal) || !isKnown(demo)) return <Waiting />;
  return (
    <>
      {site && paypal.data && <FirstSteps steps={firstSteps(site, Boolean(payment))} />}
      {demo.data && <DemoDataCallout data={demo.data} />}
      {sales}
      <Cards
        label="Shortcuts"
        links={[
          { to: '/setting', title: 'Settings', text: 'Edit the site’s text and images' },
          { to: '/total-orders', title: 'Total Orders', text: 'Orders and payments' },
          {
            to: '/all-messages',
            title: 'Messages',
            text: unread ? `${count(unread)} unread` : 'From the contact form',
          },
          { to: '/all-subscriber', title: 'Subscribers', text: 'Newsletter sign-ups' },
          { to: '/add-user', title: 'Admin Email', text: 'Team access' },
          {
            to: payment ? `/paypal-email/${payment._id}` : '/add-paypal-Email',
            title: 'Payment',
            text: 'PayPal e-mail for payments',
          },
        ]}
      />
      {charts}
      {orders}
      <SubscriberTable size={3} param="subscribers" />
    </>
  );
}

/** Renders nothing once all steps are done. */
function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <section className="panel first-steps" aria-labelledby="first-steps-heading">
      <h2 id="first-steps-heading">First steps</h2>
      <ol>
        {steps.map(({ text, to, done }) => (
          <li key={to} className={done ? 'first-steps__done' : undefined}>
            <Icon name={done ? 'check' : 'arrow'} />
            {done ? (
              <span>
                {text} <span className="visually-hidden">(done)</span>
              </span>
            ) : (
              <Link to={to}>{text}</Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
