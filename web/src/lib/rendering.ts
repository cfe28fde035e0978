import type { PublicPageName, NewsletterPage } from '#libs/contracts';

/** The request to render or describe one page. */
export interface PageRequest {
  /** Path of the page, without the origin. */
  path: string;
  publicUrl: string;
  mapEmbedUrl: string | null;
  /** Whether people can sign in with Google. Default: no. */
  google?: boolean;
  /** The minimum length of a password. Default: 6. */
  passwordMinLength?: number;
  /** Rendered instead of the page at `path`: the page that a link in a newsletter or a confirmation mail leads to. */
  newsletterPage?: NewsletterPage;
  /** Null for a shell: the browser loads the content itself. */
  content: {
    version: number;
    sections: Record<string, unknown[]>;
    imageTexts?: Record<string, string>;
  } | null;
}

/** The page's head, with the canonical address relative to the site. */
export interface PageMeta {
  /** Set for public pages. */
  name?: PublicPageName;
  /** The page's topic, without the site's name. */
  heading: string;
  title: string;
  description?: string;
  canonical?: string;
  /** False: search engines must not index it. */
  indexed: boolean;
}

/** What is known about a page without rendering it. */
export interface DescribedPage {
  status: number;
  meta: PageMeta;
  /** The site's name, if it has one. */
  siteName?: string;
}

export interface RenderedPage extends DescribedPage {
  /** The markup of the application. */
  markup: string;
  /** `<link rel="preload">` for pictures at the top of the page. */
  preloads: string;
  /** The embedded page data, escaped for HTML. */
  data: string;
  /** Whether the browser hydrates the page; false for pages that need no JavaScript. */
  hydrates: boolean;
  /** JSON-LD, escaped for HTML; empty for screens. */
  structuredData: string;
  /** Source files of the routes that were rendered, as named in the client's manifest. */
  modules: string[];
}

/** The exports of the server bundle. */
export interface ServerBundle {
  renderPage(request: PageRequest): Promise<RenderedPage>;
  describePage(request: PageRequest): DescribedPage;
}
