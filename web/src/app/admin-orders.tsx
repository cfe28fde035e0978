import { Link, useLocation } from 'react-router-dom';
import { Waiting } from '../components/Waiting.js';
import { AdminDashboard } from '../features/admin/AdminDashboard.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';
import { CampaignScreen, CampaignsScreen } from '../features/admin/campaigns/Campaigns.js';
import { AddPaypalEmail, EditPaypalEmail } from '../features/admin/PaypalEmail.js';
import { AdminsOnlyHint } from '../features/admin-orders/AdminsOnlyHint.js';
import { LatestOrders, TotalSales } from '../features/admin-orders/DashboardOrders.js';
import { Charts } from '../features/admin-orders/Charts.js';
import { OrderAdmin } from '../features/admin-orders/OrderAdmin.js';
import { TotalOrders } from '../features/admin-orders/TotalOrders.js';
import { SentMail } from '../features/admin-mail/SentMail.js';
import { useSession } from '../lib/session.js';

/* Orders, payment and mail in the frame of the admin area: each further chunk would cost every visitor its name. */

export function AdminDashboardScreen() {
  return <AdminDashboard sales={<TotalSales />} charts={<Charts />} orders={<LatestOrders />} />;
}

export function TotalOrdersScreen() {
  return (
    <AdminScreen title="Total Orders" lead="All orders, newest first.">
      {() => <TotalOrders />}
    </AdminScreen>
  );
}

export function OrderScreen() {
  return (
    <AdminScreen title="Update Order" trail={[{ to: '/total-orders', text: 'Total Orders' }]}>
      {() => <OrderAdmin />}
    </AdminScreen>
  );
}

export function PaypalEmailScreen() {
  return (
    <AdminScreen title="PayPal E-mail" lead="The account that receives payments.">
      {(account) => <EditPaypalEmail account={account} />}
    </AdminScreen>
  );
}

export function AddPaypalEmailScreen() {
  const session = useSession();
  if (session.status === 'unknown') return <Waiting />;
  const signedIn = session.status === 'signed-in';
  if (!signedIn || session.account.role !== 'Admin') return <AdminsOnlyHint signedIn={signedIn} />;
  return (
    <AdminScreen title="PayPal E-mail" lead="The account that receives payments.">
      {(account) => <AddPaypalEmail account={account} />}
    </AdminScreen>
  );
}

/** One entry for three addresses. */
export function MailScreens() {
  const { pathname } = useLocation();
  if (pathname.startsWith('/sent-mail')) return <SentMailScreen />;
  return pathname.startsWith('/campaigns') ? <CampaignsScreen /> : <CampaignScreen />;
}

function SentMailScreen() {
  return (
    <AdminScreen
      title="Sent Mail"
      lead={
        <>
          E-mails sent by the site, and whether they arrived.{' '}
          <Link to="/setting/mailText">Edit templates</Link> or turn off e-mails.
        </>
      }
    >
      {() => <SentMail />}
    </AdminScreen>
  );
}
