import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAccount } from './current-screen.js';

/** The services enforce it; this explains it. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { role, needsSecondFactor } = useAccount();
  if (role !== 'Admin') return <NoPermission />;
  return needsSecondFactor ? <NeedsSecondFactor /> : children;
}

/** Another admin requires a second factor of all admins. */
function NeedsSecondFactor() {
  return (
    <section className="screen wrap">
      <h1>Set up a second factor</h1>
      <p className="lead">Admins need a second factor. It takes about a minute to set up.</p>
      <p>
        <Link className="button" to="/account/security">
          Set up second factor
        </Link>
      </p>
    </section>
  );
}

function NoPermission() {
  return (
    <section className="screen wrap">
      <h1>You don't have any permission</h1>
      <p className="lead">Only admins can use this part of the site.</p>
      <p>
        <Link className="button" to="/dashboard">
          Go to your dashboard
        </Link>
      </p>
    </section>
  );
}
