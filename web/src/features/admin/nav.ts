import { type CurrentScreen, type NavGroup, navigationOf } from '../../workspace/current-screen.js';
import { type ContentScreen, contentScreenAt, contentScreens } from './screens.js';

const byPath = new Map(contentScreens.map((screen) => [screen.path, screen]));

/** What the search finds a content screen by: its records and the labels of their fields. */
function keywordsOf({ parts }: ContentScreen): string {
  return parts
    .flatMap(({ section }) => [
      section.labels.many,
      ...Object.values(section.fields).map(({ label }) => label),
    ])
    .join(' ');
}

/**
 * The navigation of the admin area. Sections without a documented address, which are not in the table of
 * screens, come last.
 */
export function adminNav(current: CurrentScreen, pathname: string): NavGroup[] {
  // On a content screen, its own entry is the current one, whichever row of the table has its address.
  const at = contentScreenAt(pathname);
  const isEdited = (screen: ContentScreen) => at?.part !== undefined && at.screen === screen;
  const listed = navigationOf(current, 'admin').map(({ heading, entries }) => ({
    heading,
    entries: entries.map((entry) => {
      const content = byPath.get(entry.to);
      return content
        ? { ...entry, keywords: keywordsOf(content), isCurrent: isEdited(content) }
        : { ...entry, isCurrent: entry.isCurrent && !at };
    }),
  }));
  const others = contentScreens
    .filter(({ group }) => group === undefined)
    .map((screen) => ({
      to: screen.path,
      text: screen.label,
      keywords: keywordsOf(screen),
      isCurrent: isEdited(screen),
    }));
  return [...listed, { heading: 'More', entries: others }];
}
