import { PaypalEmailForbidden } from '../features/admin-orders/PaypalEmailForbidden.js';
import { PaypalEmail } from '../features/admin/PaypalEmail.js';
import { PaypalScreen } from '../features/admin/PaypalScreen.js';
import { useSession } from '../lib/session.js';
import { RequireAccount } from '../workspace/RequireAccount.js';
import { useUnsaved } from '../workspace/unsaved.js';

export function Component() {
  const session = useSession();
  const unsaved = useUnsaved();
  const isSignedIn = session.status === 'signed-in';
  const isForbidden = isSignedIn
    ? session.account.role !== 'Admin'
    : session.status === 'signed-out' && !unsaved;
  if (isForbidden) return <PaypalEmailForbidden signedIn={isSignedIn} />;
  // `RequireAccount` says why the session cannot be read, and keeps unsaved work when the session ends.
  return (
    <RequireAccount access="admin">
      <PaypalScreen>
        <PaypalEmail />
      </PaypalScreen>
    </RequireAccount>
  );
}
