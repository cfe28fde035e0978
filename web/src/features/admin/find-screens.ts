import type { NavGroup } from '../../workspace/current-screen.js';

/** Where a result of the search leads. */
export interface Found {
  to: string;
  text: string;
  /** Where it was found: a group of the navigation, a section, a list. */
  where?: string;
}

const atMost = 6;

/** The screens whose name, group or keywords contain every word: those whose name begins with the text first, then those whose name contains it. */
export function findScreens(nav: readonly NavGroup[], words: readonly string[]): Found[] {
  const text = words.join(' ');
  const matches = nav.flatMap(({ heading, entries }) =>
    entries.flatMap(({ to, text: name, keywords = '' }) => {
      const known = `${name} ${heading ?? ''} ${keywords}`.toLowerCase();
      if (!words.every((word) => known.includes(word))) return [];
      const at = name.toLowerCase().indexOf(text);
      const rank = at === 0 ? 0 : at > 0 ? 1 : 2;
      return [{ rank, found: { to, text: name, ...(heading && { where: heading }) } }];
    }),
  );
  return matches
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, atMost)
    .map(({ found }) => found);
}
