import type { PublicPageName, NewsletterLinkPageData } from '#libs/contracts';

export interface PageRequest {
  path: string;
  publicUrl: string;
  mapEmbedUrl: string | null;
  /** Whether signing in with Google is offered. */
  google?: boolean;
  /** Default: 6. */
  passwordMinLength?: number;
  /** Rendered instead of the page at `path`. */
  newsletterPage?: NewsletterLinkPageData;
  /** Null for a shell: the browser loads the content itself. */
  content: {
    version: number;
    sections: Record<string, unknown[]>;
    /** Descriptions, by the picture's id. */
    imageTexts?: Record<string, string>;
  } | null;
}

export interface PageMeta {
  /** Set for public pages. */
  name?: PublicPageName;
  /** Without the site's name. */
  heading: string;
  title: string;
  description?: string;
  /** Relative to the site. */
  canonical?: string;
  /** False: search engines must not index it. */
  indexed: boolean;
}

export interface DescribedPage {
  status: number;
  meta: PageMeta;
  siteName?: string;
}

export interface RenderedPage extends DescribedPage {
  markup: string;
  /** `<link rel="preload">` for pictures at the top of the page. */
  preloads: string;
  /** The `PageData` as JSON, escaped for HTML; `{}` if the page does not hydrate. */
  data: string;
  /** False for pages that need no JavaScript. */
  hydrates: boolean;
  /** JSON-LD, escaped for HTML; empty for screens. */
  structuredData: string;
  /** Source files of the rendered routes, as named in the client's manifest. */
  modules: string[];
}

export interface ServerBundle {
  renderPage(request: PageRequest): Promise<RenderedPage>;
  describePage(request: PageRequest): DescribedPage;
}
