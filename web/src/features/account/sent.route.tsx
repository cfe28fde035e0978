import { Link, useLocation } from 'react-router-dom';
import { RequireSignIn } from '../../components/RequireSignIn.js';
import { useSession } from '../../lib/session.js';
import { Unbuilt } from './Unbuilt.js';

/**
 * Both public forms lead to a list that only admins may see. Whoever comes straight from the form and may not see it
 * is thanked instead of being asked to sign in.
 */
export function Component() {
  const session = useSession();
  const cameFromForm = Boolean((useLocation().state as { justSent?: boolean } | null)?.justSent);
  const seesList = session.status === 'signed-in' && session.account.role === 'Admin';
  if (cameFromForm && session.status !== 'unknown' && !seesList) return <Thanks />;
  return <RequireSignIn admin>{() => <Unbuilt />}</RequireSignIn>;
}

function Thanks() {
  return (
    <section className="screen wrap">
      <h1>Thank you</h1>
      <p className="lead">What you sent has arrived.</p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </section>
  );
}
