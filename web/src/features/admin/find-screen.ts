import type { NavGroup } from '../../workspace/current-screen.js';

/** The navigation entries whose name or keywords contain every word; all entries if there are no words. */
export function findScreens(nav: readonly NavGroup[], words: string): NavGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return nav
    .map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ text, keywords = '' }) => {
        const known = `${heading ?? ''} ${text} ${keywords}`.toLowerCase();
        return wanted.every((word) => known.includes(word));
      }),
    }))
    .filter(({ entries }) => entries.length > 0);
}
