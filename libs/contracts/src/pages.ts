import { openShells, privateShells } from './screen-paths.js';
import type { SubscriptionLink, SubscriptionPage } from './messaging.contract.js';

/**
 * The pages of the site, as the gateway (which answers with a page or with JSON) and the web application
 * (which renders them) must agree on them. Patterns are React Router's; a trailing slash never matters.
 */

/** The public pages by name, as an admin meets them. */
export const publicPageNames = ['Landing', 'Pricing', 'Service', 'Contact', 'Terms', 'Privacy'] as const;
export type PublicPageName = (typeof publicPageNames)[number];

/** Rendered on the server with its content, readable without JavaScript, cached by its canonical address. */
export interface PublicPage {
  /** Twins share one. */
  readonly name: PublicPageName;
  readonly path: string;
  /** The address search engines should know; twins share one. */
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

/** The specification's catch-all: a record's id opens About's edit screen, anything else is no page. */
export const aboutEditShell = '/:id';

/** Every shell, by its pattern. */
export const shells = [...openShells, ...privateShells, aboutEditShell] as const;

/** Where the links of newsletters lead: a page, and the call that its button makes. */
export const subscriptionPaths = {
  confirm: '/confirm-subscription',
  unsubscribe: '/unsubscribe',
} as const satisfies Record<SubscriptionLink, string>;

/** What the gateway asks the renderer for (`POST /render`): an address and the content to render it from. */
export interface RenderRequest {
  path: string;
  /** For the page behind a link of a newsletter, which needs no script. */
  subscription?: SubscriptionPage;
  /** `PUBLIC_URL`, for absolute addresses. */
  publicUrl: string;
  site: { version: number; sections: Record<string, unknown[]>; imageTexts: Record<string, string> };
}

/**
 * The client that the web process was built with (`GET /build`): every file and every shell. The gateway keeps it in memory, so
 * that it answers for them without asking.
 */
export interface WebBuild {
  /** Differs between two builds, and between two configurations of one. */
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
  /** The bytes in these codings and in base64, where compressing was worth it. */
  encoded?: { br: string; gzip: string };
}

/** The header by which the web process says which build has rendered a page. */
export const webBuildHeader = 'web-build';
