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
    // `findContentScreen` does not find the screen of a mail template, such as `/setting/mailText/orderPaid`, because `orderPaid` is no record's id.
    // For such screens, the table of screens (`app/screens.tsx`) names the parent.
    currentContent ? isEditScreen && currentContent.screen === screen : current.screen.parent === screen.path;
  const listed = navigationOf(current, 'admin').map(({ heading, entries }) => ({
    heading,
    entries: entries.map((entry) => {
      const content = contentScreenByPath.get(entry.to);
      // In the table of screens, `/setting` is the parent of the screens of sections that are listed under 'More'. On these screens, the section's
      // own entry is highlighted, and the entry of `/setting` is not.
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
