import type { ComponentType } from 'react';
import type { PublicPageName } from '#libs/contracts';

/** Who may see a screen. The API checks every call as well. */
export type Access = 'account' | 'admin';

/**
 * One page or screen: a row of `app/pages.ts` (open to everyone) or of `app/screens.tsx` (behind the
 * sign-in, or opened by a link that somebody was sent). Screens are registered nowhere else: `npm run golden` writes the
 * list of their paths that the gateway reads. The paths of public pages come from `publicPages` (`libs/contracts`), and those
 * that the specification prescribes for content screens from `features/admin/content-addresses.ts`.
 */
export interface Page {
  /** A pattern of React Router; a trailing slash never matters. */
  path: string;
  /** The title in the tab and the breadcrumbs. A public page takes its title from its content. */
  title?: string;
  /** Set for public pages; head and content depend on it. */
  name?: PublicPageName;
  /** Left out if everyone may see it. */
  access?: Access;
  /** Opens for everyone despite `access`; the screen itself says who may use it. */
  isOpen?: boolean;
  /** Its entry in the navigation of its area. */
  nav?: {
    text: string;
    /** The heading of its group; the first group has none. */
    group?: string;
    /** More words that the search finds it by. */
    keywords?: string;
    /** Where the entry leads, if not to `path`. */
    to?: string;
    /** Shown only if the site offers plans that renew, or the list of monthly plans in this area has one. */
    ifPlansRenew?: boolean;
    /** Shown only if the site issues invoices. */
    ifInvoices?: boolean;
    /**
     * Shows how much is unread: for customers in their projects, and in those of the teams in which they have the role `member`; in the admin
     * area, in the projects that are assigned to the person or to nobody.
     */
    countsUnread?: boolean;
    /** Its list takes a `search` parameter, so the search of the admin area can link to it. */
    searchable?: boolean;
  };
  /** Path of the parent screen. */
  parent?: string;
  load(): Promise<{ Component: ComponentType }>;
  /** A public form leads to this address: people who come from the form and may not see the screen get a thank-you message. */
  thanks?: boolean;
  /** Feature folder and file of its route module, whose styles and scripts the HTML names: `landing/landing`. */
  module?: string;
}
