import { type CurrentScreen, type NavGroup, navigationOf } from '../../workspace/current-screen.js';
import { type ContentScreen, contentScreenAt, contentScreens } from './screens.js';

const byPath = new Map(contentScreens.map((screen) => [screen.path, screen]));

/** The words by which the search finds a content screen: the name of its records and the labels of their fields. */
function keywordsOf({ parts }: ContentScreen): string {
  return parts
    .flatMap(({ section }) => [
      section.labels.many,
      ...Object.values(section.fields).map(({ label }) => label),
    ])
    .join(' ');
}

/** The navigation of the admin area. Content screens of sections that are not in `content-addresses.ts` come last, under 'More'. */
export function adminNav(current: CurrentScreen, pathname: string): NavGroup[] {
  // On the edit screen of a record (`at.part`), only the entry of the record's content screen counts as above it, whichever row of `app/screens.tsx`
  // the address matches. A screen whose address has no record's id, such as that of a mail template, has its parent only in that table.
  const at = contentScreenAt(pathname);
  const isAboveCurrent = (screen: ContentScreen) =>
    at ? at.part !== undefined && at.screen === screen : current.screen.parent === screen.path;
  const listed = navigationOf(current, 'admin').map(({ heading, entries }) => ({
    heading,
    entries: entries.map((entry) => {
      const content = byPath.get(entry.to);
      return content
        ? { ...entry, keywords: keywordsOf(content), isAboveCurrent: isAboveCurrent(content) }
        : { ...entry, isAboveCurrent: entry.isAboveCurrent && !at };
    }),
  }));
  const others = contentScreens
    .filter(({ group }) => group === undefined)
    .map((screen) => ({
      to: screen.path,
      text: screen.label,
      keywords: keywordsOf(screen),
      isAboveCurrent: isAboveCurrent(screen),
    }));
  return [...listed, { heading: 'More', entries: others }];
}
