import { Fragment, type ReactNode } from 'react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { useSession } from '../lib/session.js';
import { FormProblem } from './FormProblem.js';
import { Waiting } from './Waiting.js';

interface RequireSignInProps {
  children: (account: Account) => ReactNode;
  /** Only an admin sees it; others read that they have no permission. The services enforce it, this says it. */
  admin?: boolean;
}

/** A signed-out visitor goes to the login and comes back to where they were going. */
export function RequireSignIn({ children, admin = false }: RequireSignInProps) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session.status === 'unknown') {
    return (
      <>
        <Waiting />
        {session.problem && (
          <div className="wrap">
            <FormProblem problem={session.problem} />
          </div>
        )}
      </>
    );
  }
  if (session.status === 'signed-out')
    return <Navigate to="/login" replace state={{ from: pathname + search + hash }} />;
  if (admin && session.account.role !== 'Admin') return <NoPermission />;
  // Nothing of one person's stays on a screen when another signs in, in this tab or in another.
  return <Fragment key={session.account.id}>{children(session.account)}</Fragment>;
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
