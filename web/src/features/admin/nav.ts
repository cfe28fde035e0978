import { type CurrentScreen, type NavGroup, navigationOf } from '../../workspace/current-screen.js';
import { type ContentScreen, contentScreenAt, contentScreens } from './screens.js';

const byPath = new Map(contentScreens.map((screen) => [screen.path, screen]));

function keywordsOf({ parts }: ContentScreen): string {
  return parts
    .flatMap(({ section }) => [
      section.labels.many,
      ...Object.values(section.fields).map(({ label }) => label),
    ])
    .join(' ');
}

/** Sections that are not in `content-addresses.ts` come last, under 'More'. */
export function adminNav(current: CurrentScreen, pathname: string): NavGroup[] {
  // On a record's edit screen, `at.part` is set, and the parent is `at.screen`. Where `at` is undefined, such as on
  // `/setting/mailText/orderPaid`, the table of screens names the parent.
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
  const unlisted = contentScreens
    .filter(({ group }) => group === undefined)
    .map((screen) => ({
      to: screen.path,
      text: screen.label,
      keywords: keywordsOf(screen),
      isAboveCurrent: isAboveCurrent(screen),
    }));
  return [...listed, { heading: 'More', entries: unlisted }];
}
