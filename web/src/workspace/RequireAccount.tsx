import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { Account } from '#libs/contracts';
import { FormProblem } from '../components/FormProblem.js';
import { Waiting } from '../components/Waiting.js';
import type { Problem } from '../lib/api.js';
import type { Access } from '../lib/page.js';
import { useSession } from '../lib/session.js';
import { AdminsOnly } from './AdminsOnly.js';
import { AccountContext } from './current-screen.js';
import { newQueryClient } from './query.js';
import { SignInAgain } from './SignInAgain.js';
import { useUnsaved } from './unsaved.js';

interface RequireAccountProps {
  access: Access;
  children: ReactNode;
}

/**
 * A signed-out visitor goes to the login and comes back to where they were going; but a screen with unsaved work stays when the session
 * ends, and the person signs in on the spot.
 */
export function RequireAccount({ access, children }: RequireAccountProps) {
  const session = useSession();
  const unsaved = useUnsaved();
  const [known, setKnown] = useState<Account>();
  if (session.status === 'signed-in' && session.account !== known) setKnown(session.account);
  const ended = session.status === 'signed-out' && unsaved ? known : undefined;
  const account = session.status === 'signed-in' ? session.account : ended;
  if (session.status === 'unknown') return <Unknown problem={session.problem} />;
  if (!account) return <ToLogin />;
  return (
    <AccountContext value={account}>
      {/* Nothing of one person's stays on a screen when another signs in, in this tab or in another. */}
      <OwnQueries key={account.id}>
        {access === 'admin' ? <AdminsOnly>{children}</AdminsOnly> : children}
      </OwnQueries>
      {ended && <SignInAgain account={ended} />}
    </AccountContext>
  );
}

function OwnQueries({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** Not to know is not to be signed out: the question is asked again. */
function Unknown({ problem }: { problem: Problem | undefined }) {
  return (
    <>
      <Waiting />
      {problem && (
        <div className="wrap">
          <FormProblem problem={problem} />
        </div>
      )}
    </>
  );
}

function ToLogin() {
  const { pathname, search, hash } = useLocation();
  return <Navigate to="/login" replace state={{ from: pathname + search + hash }} />;
}
