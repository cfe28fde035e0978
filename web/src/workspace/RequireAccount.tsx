import { Fragment, type ReactNode, useState } from 'react';
import type { Account } from '#libs/contracts';
import { RequireSignIn } from '../components/RequireSignIn.js';
import { useSession } from '../lib/session.js';
import { SignInAgain } from './SignInAgain.js';
import { useUnsaved } from './unsaved.js';

/**
 * For signed-in people, as `RequireSignIn`; but a screen with unsaved work stays when the session ends, and the person signs in
 * on the spot.
 */
export function RequireAccount({ children }: { children: (account: Account) => ReactNode }) {
  const session = useSession();
  const unsaved = useUnsaved();
  const [known, setKnown] = useState<Account>();
  if (session.status === 'signed-in' && session.account !== known) setKnown(session.account);
  const ended = session.status === 'signed-out' && unsaved ? known : undefined;
  const account = session.status === 'signed-in' ? session.account : ended;
  if (!account) return <RequireSignIn>{children}</RequireSignIn>;
  return (
    <>
      {/* Nothing of one person's stays on a screen when another signs in. */}
      <Fragment key={account.id}>{children(account)}</Fragment>
      {ended && <SignInAgain account={ended} />}
    </>
  );
}
