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
import { QueryProvider } from './QueryProvider.js';
import { SignInAgain } from './SignInAgain.js';
import { useUnsaved } from './unsaved.js';

interface RequireAccountProps {
  access: Access;
  children: ReactNode;
}

/**
 * Sends signed-out visitors to the login and back here afterwards. When the session ends, a screen with unsaved work stays, and the person signs in
 * there.
 */
export function RequireAccount({ access, children }: RequireAccountProps) {
  const session = useSession();
  const unsaved = useUnsaved();
  const [lastAccount, setLastAccount] = useState<Account>();
  if (session.status === 'signed-in' && session.account !== lastAccount) setLastAccount(session.account);
  const { pathname } = useLocation();
  const endedAccount = session.status === 'signed-out' && unsaved ? lastAccount : undefined;
  const account = session.status === 'signed-in' ? session.account : endedAccount;
  if (session.status === 'unknown') return <SessionUnknown problem={session.problem} />;
  if (!account) return <ToLogin />;
  return (
    <AccountContext value={account}>
      {/* When another person signs in, in this tab or another, the key remounts everything, so that no data of the previous person remains. */}
      <QueryProvider key={account.id}>
        {access === 'admin' ? <AdminsOnly>{children}</AdminsOnly> : children}
      </QueryProvider>
      {endedAccount && !isBeingLeft(pathname) && <SignInAgain account={endedAccount} />}
    </AccountContext>
  );
}

/** If the session could not be read, `lib/session.ts` reads it again soon. */
function SessionUnknown({ problem }: { problem: Problem | undefined }) {
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

/** As when signing out: the address changes before React shows the next screen. */
const isBeingLeft = (pathname: string) => window.location.pathname !== pathname;

function ToLogin() {
  const { pathname, search, hash } = useLocation();
  if (isBeingLeft(pathname)) return null;
  return <Navigate to="/login" replace state={{ from: pathname + search + hash }} />;
}
