import { PaypalEmailHint } from '../features/admin-orders/PaypalEmailHint.js';
import { AddPaypalEmail } from '../features/admin/PaypalEmail.js';
import { PaypalScreen } from '../features/admin/PaypalScreen.js';
import { useSession } from '../lib/session.js';
import { RequireAccount } from '../workspace/RequireAccount.js';
import { useUnsaved } from '../workspace/unsaved.js';

export function Component() {
  const session = useSession();
  const unsaved = useUnsaved();
  const isSignedIn = session.status === 'signed-in';
  const showsHint = isSignedIn
    ? session.account.role !== 'Admin'
    : session.status === 'signed-out' && !unsaved;
  if (showsHint) return <PaypalEmailHint signedIn={isSignedIn} />;
  // `RequireAccount` says why the session cannot be read, and keeps unsaved work when the session ends.
  return (
    <RequireAccount access="admin">
      <PaypalScreen>
        <AddPaypalEmail />
      </PaypalScreen>
    </RequireAccount>
  );
}
