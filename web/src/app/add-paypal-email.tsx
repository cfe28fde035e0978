import { Waiting } from '../components/Waiting.js';
import { AdminsOnlyHint } from '../features/admin-orders/AdminsOnlyHint.js';
import { AddPaypalEmail } from '../features/admin/PaypalEmail.js';
import { PaypalScreen } from '../features/admin/PaypalScreen.js';
import { useSession } from '../lib/session.js';
import { RequireAccount } from '../workspace/RequireAccount.js';

export function Component() {
  const session = useSession();
  if (session.status === 'unknown') return <Waiting />;
  const signedIn = session.status === 'signed-in';
  if (!signedIn || session.account.role !== 'Admin') return <AdminsOnlyHint signedIn={signedIn} />;
  return (
    <RequireAccount access="admin">
      <PaypalScreen>
        <AddPaypalEmail />
      </PaypalScreen>
    </RequireAccount>
  );
}
