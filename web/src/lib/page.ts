import type { ComponentType } from 'react';
import type { PublicPageName } from '#libs/contracts';

/** Who may see a screen. The API checks every call as well. */
export type Access = 'account' | 'admin';

/**
 * A public page or a screen: a row of `app/pages.ts` (public pages, the login and similar screens) or of `app/screens.tsx` (all other screens).
 * `npm run golden` writes the paths of screens into the lists that the gateway reads. The paths of public pages come from `publicPages`
 * (`libs/contracts`). The paths that the specification prescribes for content screens come from `features/admin/content-addresses.ts`.
 */
export interface Page {
  /** A pattern of React Router; a trailing slash never matters. */
  path: string;
  /** For the tab and the breadcrumbs. A public page takes its title from its content. */
  title?: string;
  /** Set for public pages. */
  name?: PublicPageName;
  /** Left out if everyone may see it. */
  access?: Access;
  /** Opens for everyone despite `access`; the screen itself says who may use it. */
  isOpen?: boolean;
  nav?: {
    text: string;
    /** The heading of its group; the first group has none. */
    group?: string;
    /** More words that the search finds it by. */
    keywords?: string;
    /** Where the entry leads, if not to `path`. */
    to?: string;
    /** If the site offers no monthly plan and the person has none to see, the entry is shown only on its own screen. */
    ifPlans?: boolean;
    /** If the site issues no invoices, the entry is shown only on its own screen. */
    ifInvoices?: boolean;
    /**
     * Shows how much is unread. For customers: in their projects, and in those of teams in which they are a `member`. In the admin area: in projects
     * that are assigned to the person or to nobody.
     */
    countsUnread?: boolean;
    /** The screen’s list can be searched by a `search` parameter. The search of the admin area links to the results. */
    searchable?: boolean;
  };
  /** The path of the screen above this one. It is in the breadcrumbs, and its entry in the navigation is marked if this screen has none. */
  parent?: string;
  load(): Promise<{ Component: ComponentType }>;
  /** A public form leads here. People who come from it and may not see the screen get a thank-you message. */
  thanks?: boolean;
  /** Feature folder and file of its route module, whose styles and scripts the HTML names: `landing/landing`. */
  module?: string;
}
