import type { ReactNode } from 'react';
import type { Account } from '#libs/contracts';
import { RequireSignIn } from '../components/RequireSignIn.js';
import { VerifyBanner } from './VerifyBanner.js';
import { type NavGroup, Workspace } from './Workspace.js';

const nav: readonly NavGroup[] = [
  {
    entries: [
      { to: '/dashboard', text: 'Dashboard' },
      { to: '/my-order', text: 'My orders' },
      { to: '/pending-order', text: 'Pending orders' },
      { to: '/pricing/', text: 'Order a plan' },
      { to: '/account', text: 'Account' },
      { to: '/account/security', text: 'Security' },
    ],
  },
];

interface CustomerScreenProps {
  title: string;
  lead?: (account: Account) => ReactNode;
  actions?: ReactNode;
  children: (account: Account) => ReactNode;
}

/** A screen of a signed-in customer, in the frame that all of them share. */
export function CustomerScreen({ title, lead, actions, children }: CustomerScreenProps) {
  return (
    <RequireSignIn>
      {(account) => (
        <Workspace area="Your account" nav={nav} title={title} lead={lead?.(account)} actions={actions}>
          {!account.emailVerified && <VerifyBanner email={account.email} />}
          {children(account)}
        </Workspace>
      )}
    </RequireSignIn>
  );
}
