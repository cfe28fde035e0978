import type { NavGroup } from '../../workspace/current-screen.js';

export interface SearchHit {
  to: string;
  text: string;
  /** Shown after the text: the group of the navigation, the content screen, or the list to search. */
  where?: string;
}

const maxResults = 6;

/** Screens whose name, group or keywords contain every (lower-case) word. Names that begin with the phrase come first, then those that contain it. */
export function findScreens(nav: readonly NavGroup[], words: readonly string[]): SearchHit[] {
  const phrase = words.join(' ');
  const matches = nav.flatMap(({ heading, entries }) =>
    entries.flatMap(({ to, text: name, keywords = '' }) => {
      const searchable = `${name} ${heading ?? ''} ${keywords}`.toLowerCase();
      if (!words.every((word) => searchable.includes(word))) return [];
      const at = name.toLowerCase().indexOf(phrase);
      const rank = at === 0 ? 0 : at > 0 ? 1 : 2;
      return [{ rank, hit: { to, text: name, ...(heading && { where: heading }) } }];
    }),
  );
  return matches
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, maxResults)
    .map(({ hit }) => hit);
}
