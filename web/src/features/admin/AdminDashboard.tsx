import { type ReactNode, useState } from 'react';
import { Waiting } from '../../components/Waiting.js';
import { Cards } from '../../workspace/Figures.js';
import { formatNumber } from '../../workspace/formats.js';
import { type Query, useQuery } from '../../workspace/query.js';
import { AdminScreen } from './AdminScreen.js';
import { DemoDataCallout } from './DemoDataCallout.js';
import { SetupGuide } from './setup/SetupGuide.js';
import { isDoneOrPostponed } from './setup/setup-steps.js';
import { SubscriberTable } from './SubscriberTable.js';

interface AdminDashboardProps {
  totals: ReactNode;
  charts: ReactNode;
  orders: ReactNode;
}

/** Blocks about orders are passed in, because features do not import each other. */
export function AdminDashboard(blocks: AdminDashboardProps) {
  const setup = useQuery('GET /setup-guide');
  const demo = useQuery('GET /demo-data');
  const [isGuideOpen, setGuideOpen] = useState(false);
  const allDoneOrPostponed = setup.data?.steps.every(isDoneOrPostponed);
  return (
    <AdminScreen
      title="Welcome to Admin Panel"
      actions={
        allDoneOrPostponed && (
          <button
            className="button button--quiet"
            type="button"
            aria-expanded={isGuideOpen}
            onClick={() => setGuideOpen(!isGuideOpen)}
          >
            Setup guide
          </button>
        )
      }
    >
      {/* The guide and the callout are at the top. Nothing is shown until both have loaded or failed, so that they do not push the rest down. */}
      {hasLoadedOrFailed(setup) && hasLoadedOrFailed(demo) ? (
        <>
          {setup.data && (!allDoneOrPostponed || isGuideOpen) && <SetupGuide guide={setup.data} />}
          {demo.data && <DemoDataCallout counts={demo.data} />}
          <Dashboard {...blocks} />
        </>
      ) : (
        <Waiting />
      )}
    </AdminScreen>
  );
}

const hasLoadedOrFailed = ({ data, problem }: Query<unknown>) => data !== undefined || problem !== undefined;

function Dashboard({ totals, charts, orders }: AdminDashboardProps) {
  const paypal = useQuery('GET /paypal-email');
  const unread = useQuery('GET /messages', { query: { messageStatus: 'UnRead', limit: 1 } }).total;
  const paypalEmail = paypal.data?.[0];
  return (
    <>
      {totals}
      <Cards
        label="Shortcuts"
        links={[
          { to: '/setting', title: 'Settings', text: 'Edit the site’s text and images' },
          { to: '/total-orders', title: 'Total Orders', text: 'Orders and payments' },
          {
            to: '/all-messages',
            title: 'Messages',
            text: unread ? `${formatNumber(unread)} unread` : 'From the contact form',
          },
          { to: '/all-subscriber', title: 'Subscribers', text: 'Newsletter sign-ups' },
          { to: '/add-user', title: 'Admin Email', text: 'Who can use the admin panel' },
          {
            to: paypalEmail ? `/paypal-email/${paypalEmail._id}` : '/add-paypal-Email',
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
