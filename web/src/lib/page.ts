import type { ComponentType } from 'react';
import type { PublicPageName } from '#libs/contracts';

/** Who may see a screen. The services enforce it. */
export type Access = 'account' | 'admin';

/**
 * One page or screen: a row of `app/pages.ts` (what everyone may open) or of `app/screens.tsx` (what is behind the sign-in), and
 * registered nowhere else. `npm run golden` gives the paths to the gateway.
 */
export interface Page {
  /** A pattern of React Router; a trailing slash never matters. */
  path: string;
  /** What the tab and the breadcrumbs call it. A public page takes its title from its content. */
  title?: string;
  /** Of a public page, whose head and content go by it. */
  name?: PublicPageName;
  /** Left out where everyone may see it. */
  access?: Access;
  /** Opens for everyone all the same, and says itself whom it is for. */
  isOpen?: boolean;
  /** Its entry in the navigation of its area. */
  nav?: {
    text: string;
    /** The heading above the entry; the first group has none. */
    group?: string;
    /** What else it is found by. */
    keywords?: string;
    /** Where the entry leads, if not to `path`. */
    to?: string;
    /** Its list takes a `search` parameter, so that the search of the admin area can lead on to it. */
    searchable?: boolean;
  };
  /** Path of the screen it is reached from. */
  parent?: string;
  load(): Promise<{ Component: ComponentType }>;
  /** The address that a public form leads to: people who may not see the screen are thanked there. */
  thanks?: boolean;
  /** Feature folder and file of its route module, whose styles and scripts the HTML names: `landing/landing`. */
  module?: string;
}
