import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { RequireAccount } from './RequireAccount.js';

/** For admins only. The services enforce it, this says it. */
export function RequireAdmin({ children }: { children: (account: Account) => ReactNode }) {
  return (
    <RequireAccount>
      {(account) =>
        account.role !== 'Admin' ? (
          <NoPermission />
        ) : account.needsSecondFactor ? (
          <NeedsSecondFactor />
        ) : (
          children(account)
        )
      }
    </RequireAccount>
  );
}

/** Another admin demands it of all. */
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
