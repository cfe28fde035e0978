import type { NewsletterLink, NewsletterLinkPageData } from './messaging.contract.js';

/**
 * The gateway, which decides between a page and JSON, and the web application must agree on the paths in this file. Patterns are React Router's, and
 * match with or without a trailing slash.
 */

/** Admins see these names. */
export const publicPageNames = ['Landing', 'Pricing', 'Service', 'Contact', 'Terms', 'Privacy'] as const;
export type PublicPageName = (typeof publicPageNames)[number];

/** One address of a page. The gateway keeps rendered pages by path, so it keeps a page with two addresses twice. */
export interface PublicPage {
  /** The same for both addresses of a page. */
  readonly name: PublicPageName;
  readonly path: string;
  /** For search engines; the same for both addresses of a page. The specification spells `/pricing/` and `/service/` with a slash. */
  readonly canonical: string;
}

export const publicPages: readonly PublicPage[] = [
  { name: 'Landing', path: '/', canonical: '/' },
  { name: 'Pricing', path: '/pricing', canonical: '/pricing/' },
  { name: 'Service', path: '/service', canonical: '/service/' },
  { name: 'Contact', path: '/contact', canonical: '/contact' },
  { name: 'Contact', path: '/contact-us', canonical: '/contact' },
  { name: 'Terms', path: '/terms', canonical: '/terms' },
  { name: 'Privacy', path: '/privacy', canonical: '/privacy' },
];

/** The specification's catch-all: a UUID opens the edit screen of the section About. Other paths are not found. */
export const aboutEditShell = '/:id';

/** In newsletters and confirmation mails. GET shows the page, and POST confirms or unsubscribes. */
export const newsletterLinkPaths = {
  confirm: '/confirm-subscription',
  unsubscribe: '/unsubscribe',
} as const satisfies Record<NewsletterLink, string>;

/** What the gateway asks the web process for (`POST /render` and `POST /preview`). */
export interface RenderRequest {
  path: string;
  /** The data of the page that a link in a newsletter or a confirmation mail opens; absent for other pages. */
  subscription?: NewsletterLinkPageData;
  publicUrl: string;
  /** `imageTexts`: the alternative texts of the pictures in `sections`, by the pictures' ids. */
  site: { version: number; sections: Record<string, unknown[]>; imageTexts: Record<string, string> };
}

/** The client build of the web process (`GET /build`). The gateway keeps it in memory and serves it. */
export interface WebBuild {
  /** Differs between builds, and between configurations of a build. */
  version: string;
  files: Record<string, WebFile>;
  /** HTML by pattern. */
  shells: Record<string, string>;
}

export interface WebFile {
  contentType: string;
  cacheControl: string;
  /** Base64. */
  body: string;
  /** Base64, if compressing was worth it. */
  encoded?: { br: string; gzip: string };
}

/** The version of the build that rendered a page. */
export const webBuildHeader = 'web-build';
