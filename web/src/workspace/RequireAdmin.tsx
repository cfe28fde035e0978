import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { RequireAccount } from './RequireAccount.js';

/** For admins only. The services enforce it, this says it. */
export function RequireAdmin({ children }: { children: (account: Account) => ReactNode }) {
  return (
    <RequireAccount>
      {(account) => (account.role === 'Admin' ? children(account) : <NoPermission />)}
    </RequireAccount>
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
