import { Waiting } from '../components/Waiting.js';
import { AdminsOnlyHint } from '../features/admin-orders/AdminsOnlyHint.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';
import { AddPaypalEmail } from '../features/admin/PaypalEmail.js';
import { useSession } from '../lib/session.js';
import { RequireAccount } from '../workspace/RequireAccount.js';

export function Component() {
  const session = useSession();
  if (session.status === 'unknown') return <Waiting />;
  const signedIn = session.status === 'signed-in';
  if (!signedIn || session.account.role !== 'Admin') return <AdminsOnlyHint signedIn={signedIn} />;
  return (
    <RequireAccount access="admin">
      <AdminScreen title="PayPal E-mail" lead="The account that receives payments.">
        <AddPaypalEmail />
      </AdminScreen>
    </RequireAccount>
  );
}
