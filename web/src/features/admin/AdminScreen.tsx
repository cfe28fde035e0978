import './admin.css';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTabTitle } from '../../lib/tab-title.js';
import { type Breadcrumb, breadcrumbsOf, useCurrentScreen } from '../../workspace/current-screen.js';
import { useNavigationScreens } from '../../workspace/navigation-screens.js';
import { Workspace } from '../../workspace/Workspace.js';
import { adminNavigationOf } from './nav.js';
import { ScreenSearch } from './ScreenSearch.js';

interface AdminScreenProps {
  /** Default: the screen's title in the table of screens (`app/screens.tsx`). */
  title?: string;
  lead?: ReactNode;
  /** The parent screens, if they are not in the table of screens. */
  breadcrumbs?: readonly Breadcrumb[];
  actions?: ReactNode;
  /** The tab's title, if it is not in the table of screens. */
  tabTitle?: string;
  children: ReactNode;
}

export function AdminScreen({ title, breadcrumbs, tabTitle, children, ...head }: AdminScreenProps) {
  const { pathname } = useLocation();
  const current = useCurrentScreen();
  const { screen } = current;
  const navigationScreens = useNavigationScreens('admin');
  const nav = adminNavigationOf(navigationScreens, pathname);
  const parents = breadcrumbs ?? breadcrumbsOf(current);
  useTabTitle(screen.title ? undefined : tabTitle);
  return (
    <Workspace
      navLabel="Admin menu"
      nav={nav}
      navHead={<ScreenSearch nav={nav} screens={navigationScreens.screens} />}
      title={title ?? screen.title ?? ''}
      breadcrumbs={screen.path === '/admin' ? [] : [{ to: '/admin', text: 'Admin panel' }, ...parents]}
      {...head}
    >
      {children}
    </Workspace>
  );
}
