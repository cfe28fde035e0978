import type { NavGroup } from '../../workspace/current-screen.js';

/** The entries whose name, or anything that their screen holds, contains every word; all of them for none. */
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
