import type { PublicPageName } from '#libs/contracts';
import { readSite } from './page-data.js';
import type { PageData } from './site.js';

/**
 * What pages are rendered from. The server makes one for each page; the browser's begins with what its first page shows, and reads all
 * public content when another page needs it.
 */
export class PageStore {
  private readonly listeners = new Set<() => void>();
  private reading: Promise<void> | undefined;
  private awaited: Promise<void> | undefined;

  constructor(private data: PageData) {}

  readonly get = (): PageData => this.data;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Reads all public content. What there is stays when it cannot be read: an old page is better than none. */
  readonly refresh = (): Promise<void> => {
    this.reading ??= readSite()
      .then((read) => {
        // After a failure it is not asked for again at once, but as if it had been read just now.
        this.data = read
          ? { ...this.data, ...read, contentOf: undefined }
          : { ...this.data, readAt: Date.now() };
        this.listeners.forEach((listener) => listener());
      })
      .finally(() => (this.reading = undefined));
    return this.reading;
  };

  /** Whether everything that a page shows is here. Screens that are not public wait for no content. */
  has(page: PublicPageName | undefined): boolean {
    const { contentOf } = this.data;
    return page === undefined || contentOf === undefined || contentOf === page;
  }

  /** Resolves once `has` is true. If the content cannot be read, the browser loads the whole page from the server instead. */
  readonly whole = (): Promise<void> => {
    this.awaited ??= this.refresh().then(() => {
      if (this.data.contentOf === undefined) return;
      window.location.reload();
      return new Promise<never>(() => undefined);
    });
    return this.awaited;
  };
}
