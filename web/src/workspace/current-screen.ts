import { createContext, useContext } from 'react';
import type { Account } from '#libs/contracts';
import type { Access, Page } from '../lib/page.js';

/** `Page` is the type of both pages and screens; here there are only screens. */
export interface CurrentScreen {
  screen: Page;
  screens: readonly Page[];
}

/** What `navigationOf` needs. Here, screens whose entries are hidden have no `nav`. */
export interface NavigationScreens extends CurrentScreen {
  /** Unread messages and changes in projects. */
  unread?: number | undefined;
}

interface NavEntry {
  to: string;
  text: string;
  keywords?: string;
  /** Not shown if it is 0 or not known. */
  unread?: number | undefined;
  /** The current screen has no entry of its own and is directly below this entry's screen. */
  isAboveCurrent: boolean;
}

export interface NavGroup {
  heading?: string;
  entries: readonly NavEntry[];
}

export const ScreenContext = createContext<CurrentScreen | undefined>(undefined);
export const AccountContext = createContext<Account | undefined>(undefined);

export function useCurrentScreen(): CurrentScreen {
  const current = useContext(ScreenContext);
  if (!current) throw new Error('There is a current screen only inside Guard.');
  return current;
}

/** The signed-in account. On a screen with unsaved work, it stays the same when the session ends, until somebody signs in again. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('There is an account only inside RequireAccount.');
  return account;
}

/** In the order of the table of screens (`app/screens.tsx`). */
export function navigationOf({ screen, screens, unread }: NavigationScreens, area: Access): NavGroup[] {
  const groups = new Map<string | undefined, NavGroup['entries']>();
  for (const { path, access, nav } of screens) {
    if (!nav || access !== area) continue;
    const entry = {
      to: nav.to ?? path,
      text: nav.text,
      keywords: nav.keywords,
      unread: nav.countsUnread ? unread : undefined,
      isAboveCurrent: !screen.nav && screen.parent === path,
    };
    groups.set(nav.group, [...(groups.get(nav.group) ?? []), entry]);
  }
  return [...groups].map(([heading, entries]) => ({ heading, entries }));
}

export interface Breadcrumb {
  to: string;
  text: string;
}

/** The parent screens, the top one first. */
export function breadcrumbsOf({ screen, screens }: CurrentScreen): Breadcrumb[] {
  const parent = screens.find(({ path }) => path === screen.parent);
  if (!parent) return [];
  return [...breadcrumbsOf({ screen: parent, screens }), { to: parent.path, text: parent.title ?? '' }];
}
