import type { PublicPageName } from '#libs/contracts';
import { readSiteContent } from './page-data.js';
import type { PageData } from './site.js';

/**
 * The server creates a store each time it renders a page. The browser has one, which starts with the data of the first page and reads all public
 * content when another page needs it.
 */
export class PageDataStore {
  private readonly listeners = new Set<() => void>();
  private reading: Promise<void> | undefined;
  private completion: Promise<void> | undefined;

  constructor(private data: PageData) {}

  readonly get = (): PageData => this.data;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** If reading fails, the existing content stays. */
  readonly refresh = (): Promise<void> => {
    this.reading ??= readSiteContent()
      .then((read) => {
        // `readAt` is set after a failure too: `useFreshContent` and `useWholeSite` try again only when the content would be stale.
        this.data = read
          ? { ...this.data, ...read, contentOf: undefined }
          : { ...this.data, readAt: Date.now() };
        this.listeners.forEach((listener) => listener());
      })
      .finally(() => (this.reading = undefined));
    return this.reading;
  };

  /** Always true for screens, which need no content. */
  has(page: PublicPageName | undefined): boolean {
    const { contentOf } = this.data;
    return page === undefined || contentOf === undefined || contentOf === page;
  }

  /** Resolves once all public content is here. If it cannot be read, the browser loads the whole page from the server. */
  readonly complete = (): Promise<void> => {
    this.completion ??= this.refresh().then(() => {
      if (this.data.contentOf === undefined) return;
      window.location.reload();
      return new Promise<never>(() => undefined);
    });
    return this.completion;
  };
}
