import { openScreens, privateShells } from './screen-paths.js';
import type { NewsletterLink, NewsletterPage } from './messaging.contract.js';

/**
 * The pages of the site. The gateway, which decides between a page and JSON, and the web application, which renders the pages, must agree on
 * them. Patterns are React Router's; they match a path with or without a trailing slash.
 */

/** The public pages by name, as shown to admins. */
export const publicPageNames = ['Landing', 'Pricing', 'Service', 'Contact', 'Terms', 'Privacy'] as const;
export type PublicPageName = (typeof publicPageNames)[number];

/** Rendered on the server with its content, readable without JavaScript, cached by its path: a page with two addresses is kept twice. */
export interface PublicPage {
  /** Pages with two addresses have the same name. */
  readonly name: PublicPageName;
  readonly path: string;
  /** The canonical address for search engines; the same for both addresses of a page. */
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

/** The specification's catch-all: a path that is a UUID, as ids of records are, opens the edit screen of the section About; others are not found. */
export const aboutEditShell = '/:id';

/** The patterns of all shells. */
export const shells = [...openScreens, ...privateShells, aboutEditShell] as const;

/** The paths of the links in newsletters and confirmation mails. GET shows the page, and POST confirms or unsubscribes. */
export const newsletterLinkPaths = {
  confirm: '/confirm-subscription',
  unsubscribe: '/unsubscribe',
} as const satisfies Record<NewsletterLink, string>;

/** What the gateway asks the renderer for (`POST /render` and `POST /preview`): an address and the content to render it from. */
export interface RenderRequest {
  path: string;
  /** Set for the page of a link in a newsletter or a confirmation mail. */
  subscription?: NewsletterPage;
  /** `PUBLIC_URL`, for absolute addresses. */
  publicUrl: string;
  /** See `siteContent`. */
  site: { version: number; sections: Record<string, unknown[]>; imageTexts: Record<string, string> };
}

/**
 * The client build of the web process (`GET /build`): every file and every shell. The gateway keeps it in memory and serves it without asking the
 * web process.
 */
export interface WebBuild {
  /** Differs between builds, and between different configurations of the same build. */
  version: string;
  /** By address. */
  files: Record<string, WebFile>;
  /** The HTML of each shell, by its pattern. */
  shells: Record<string, string>;
}

export interface WebFile {
  contentType: string;
  cacheControl: string;
  /** The bytes in base64. */
  body: string;
  /** The bytes in these encodings, in base64, if compressing was worth it. */
  encoded?: { br: string; gzip: string };
}

/** The response header with the version of the build that rendered a page. */
export const webBuildHeader = 'web-build';
