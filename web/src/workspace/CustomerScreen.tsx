import type { ReactNode } from 'react';
import { navigationOf, type Breadcrumb, useAccount } from './current-screen.js';
import { useNavigationScreens } from './navigation-screens.js';
import { VerifyCallout } from './VerifyCallout.js';
import { Workspace } from './Workspace.js';

interface CustomerScreenProps {
  title: string;
  lead?: ReactNode;
  /** The top screen first. */
  breadcrumbs?: readonly Breadcrumb[];
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of the account screens, which admins can open too. */
export function CustomerScreen({ children, ...head }: CustomerScreenProps) {
  const { email, emailVerified } = useAccount();
  return (
    <Workspace
      navLabel="Your account"
      nav={navigationOf(useNavigationScreens('account'), 'account')}
      {...head}
    >
      {!emailVerified && <VerifyCallout email={email} />}
      {children}
    </Workspace>
  );
}
