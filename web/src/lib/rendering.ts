import type { PublicPageName, SubscriptionPage } from '#libs/contracts';

/** What the renderer gives the server bundle for one page. */
export interface PageRequest {
  /** Path of the page, without the origin. */
  path: string;
  publicUrl: string;
  mapEmbedUrl: string | null;
  /** People may join with Google. Default: no. */
  google?: boolean;
  /** The characters that a password must have at least. Default: 6. */
  passwordMinLength?: number;
  /** In place of the page at `path`: the one behind a link of a newsletter. */
  subscription?: SubscriptionPage;
  /** Null for a shell: the browser loads the content itself. */
  content: {
    version: number;
    sections: Record<string, unknown[]>;
    imageTexts?: Record<string, string>;
  } | null;
}

/** What the page's head says, and its canonical address relative to the site. */
export interface PageMeta {
  /** Of a public page. */
  name?: PublicPageName;
  /** What the page is about, without the site's name. */
  heading: string;
  title: string;
  description?: string;
  canonical?: string;
  /** False keeps the page out of search engines. */
  indexed: boolean;
}

/** What is known of a page without rendering it. */
export interface DescribedPage {
  status: number;
  meta: PageMeta;
  /** The agency's name, as far as the content tells it. */
  siteName?: string;
}

export interface RenderedPage extends DescribedPage {
  /** The markup of the application. */
  markup: string;
  /** `<link rel="preload">` of pictures that the markup shows at once. */
  preloads: string;
  /** The data block's content, escaped for HTML. */
  data: string;
  /** Whether the browser takes the page over; one that is only forms and links works as it came. */
  hydrates: boolean;
  /** JSON-LD, escaped for HTML; empty for screens that are not for search engines. */
  structuredData: string;
  /** Source files of the routes in use, as the client's manifest names them. */
  modules: string[];
}

/** What the server bundle exports. */
export interface ServerBundle {
  renderPage(request: PageRequest): Promise<RenderedPage>;
  describePage(request: PageRequest): DescribedPage;
}
