import { type NavGroup, type NavigationScreens, navigationOf } from '../../workspace/current-screen.js';
import { type ContentScreen, findContentScreen, contentScreens } from './content-screens.js';

const contentScreenByPath = new Map(contentScreens.map((screen) => [screen.path, screen]));

function keywordsOf({ parts }: ContentScreen): string {
  return parts
    .flatMap(({ section }) => [
      section.labels.many,
      ...Object.values(section.fields).map(({ label }) => label),
    ])
    .join(' ');
}

/** Sections that are not in `content-addresses.ts` come last, under 'More'. */
export function adminNavigationOf(current: NavigationScreens, pathname: string): NavGroup[] {
  const currentContent = findContentScreen(pathname);
  const isEditScreen = currentContent?.part !== undefined;
  const isAboveCurrent = (screen: ContentScreen) =>
    // For a screen that is not a content screen, such as `/setting/mailText/orderPaid`, the table of screens (`app/screens.tsx`) names the parent.
    currentContent ? isEditScreen && currentContent.screen === screen : current.screen.parent === screen.path;
  const listed = navigationOf(current, 'admin').map(({ heading, entries }) => ({
    heading,
    entries: entries.map((entry) => {
      const content = contentScreenByPath.get(entry.to);
      // In the table, `/setting` is the parent of `/setting/<section>`, but the navigation has an entry for each section, which is marked instead.
      return content
        ? { ...entry, keywords: keywordsOf(content), isAboveCurrent: isAboveCurrent(content) }
        : { ...entry, isAboveCurrent: entry.isAboveCurrent && !currentContent };
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
