import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAccount } from './current-screen.js';

/**
 * Tells people who are not admins, and admins who lack a required second factor, why they cannot use the screen. The gateway and the services refuse
 * their calls.
 */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { role, needsSecondFactor } = useAccount();
  if (role !== 'Admin') return <NoPermission />;
  return needsSecondFactor ? <NeedsSecondFactor /> : children;
}

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
