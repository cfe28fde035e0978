import './admin.css';
import type { ReactNode } from 'react';
import type { Account } from '#libs/contracts';
import { RequireAdmin } from '../../workspace/RequireAdmin.js';
import { Workspace } from '../../workspace/Workspace.js';
import { adminNav } from './nav.js';

interface AdminScreenProps {
  title: string;
  lead?: ReactNode;
  trail?: readonly { to: string; text: string }[];
  actions?: ReactNode;
  children: (account: Account) => ReactNode;
}

/** What all admin screens share: the role, the navigation, the head. */
export function AdminScreen({ children, ...head }: AdminScreenProps) {
  return (
    <RequireAdmin>
      {(account) => (
        <Workspace area="Admin menu" nav={adminNav} {...head}>
          {children(account)}
        </Workspace>
      )}
    </RequireAdmin>
  );
}
