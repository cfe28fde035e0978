import { contentScreens } from './screens.js';

/** What a tab is called; of the screens of content their own names. */
const titles = new Map([
  ['/admin', 'Admin panel'],
  ['/setting', 'Settings'],
  ['/all-subscriber', 'Subscribers'],
  ['/all-messages', 'Messages'],
  ['/view/:id', 'Message'],
  ['/campaigns', 'Campaigns'],
  ['/campaign/:id', 'Campaign'],
  ['/sent-mail', 'Sent Mail'],
  ['/add-user', 'Admin users'],
  ['/admin-user/:id', 'Update User'],
  ['/audit-log', 'Audit log'],
  ...contentScreens.flatMap(({ path, label, parts }) => [
    [path, label] as const,
    ...parts.map(({ editPath, editTitle }) => [editPath, editTitle] as const),
  ]),
]);

/** Known before the screen's code and data are there; undefined for an address without a name of its own. */
export function tabTitleAt(pathname: string): string | undefined {
  const path = pathname.replace(/\/$/, '');
  return titles.get(path) ?? titles.get(path.replace(/\/[^/]+$/, '/:id'));
}
