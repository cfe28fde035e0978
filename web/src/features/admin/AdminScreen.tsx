import './admin.css';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTabTitle } from '../../lib/tab-title.js';
import { type TrailStep, trailOf, useScreen } from '../../workspace/current-screen.js';
import { useNavigationScreens } from '../../workspace/navigation-screens.js';
import { Workspace } from '../../workspace/Workspace.js';
import { adminNav } from './nav.js';
import { ScreenSearch } from './ScreenSearch.js';

interface AdminScreenProps {
  /** The heading, if it differs from the tab's title. */
  title?: string;
  lead?: ReactNode;
  /** The parent screens, if they are not in the table of screens. */
  trail?: readonly TrailStep[];
  actions?: ReactNode;
  /** The tab's title, if it is not in the table of screens. */
  tab?: string;
  children: ReactNode;
}

/** The frame of an admin screen: the navigation with its search, the breadcrumbs, the heading. */
export function AdminScreen({ title, trail, tab, children, ...head }: AdminScreenProps) {
  const { pathname } = useLocation();
  const current = useScreen();
  const { screen } = current;
  const nav = adminNav(useNavigationScreens('admin'), pathname);
  const steps = trail ?? trailOf(current);
  useTabTitle(screen.title ? undefined : tab);
  return (
    <Workspace
      area="Admin menu"
      nav={nav}
      navHead={<ScreenSearch nav={nav} />}
      title={title ?? screen.title ?? ''}
      trail={screen.path === '/admin' ? [] : [{ to: '/admin', text: 'Admin panel' }, ...steps]}
      {...head}
    >
      {children}
    </Workspace>
  );
}
