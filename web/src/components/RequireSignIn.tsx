import { Fragment, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { useSession } from '../lib/session.js';
import { FormProblem } from './FormProblem.js';
import { Waiting } from './Waiting.js';

/** A signed-out visitor goes to the login and comes back to where they were going. */
export function RequireSignIn({ children }: { children: (account: Account) => ReactNode }) {
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
  // Nothing of one person's stays on a screen when another signs in, in this tab or in another.
  return <Fragment key={session.account.id}>{children(session.account)}</Fragment>;
}
