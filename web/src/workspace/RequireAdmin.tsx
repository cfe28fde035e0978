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
      <p className="lead">Admins of this site need one. It takes a minute, and then you are in.</p>
      <p>
        <Link className="button" to="/account/security">
          Set it up
        </Link>
      </p>
    </section>
  );
}

function NoPermission() {
  return (
    <section className="screen wrap">
      <h1>You don't have any permission</h1>
      <p className="lead">This part of the site is for its admins.</p>
      <p>
        <Link className="button" to="/dashboard">
          Go to your dashboard
        </Link>
      </p>
    </section>
  );
}
