import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError, openScreens, publicPages } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { within } from '#libs/runtime';
import { notIndexed, SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { ContentCache } from '../content/content-cache.js';
import { operations } from '#libs/operations';
import { tableOf } from '../routing/operation-table.js';
import { Renderer } from './renderer.js';
import { WebBuilds } from './web-builds.js';

interface KeptPage {
  /** The version of the content. */
  version: number;
  build: string;
  renderedAt: number;
  answer: StoredAnswer;
}

/** If there is an older page or a shell, nobody waits longer than this for a newer page. */
const maxWaitMs = 1000;
/** For this time after a failure of any page, pages and screens that have an older rendering or a shell are not rendered. */
const retryDelayMs = 1000;
/** While replicas of the web process differ, a page of another build than the newest is served this long before it is rendered again. */
const otherBuildMs = 1000;
/** If content changes faster than a page renders, the page is served after this many attempts. */
const maxAttempts = 3;

/** Stands for every address without a page. */
const notFoundPath = '/page-not-found';

const operationTable = tableOf(operations);

export const isOpenScreen = (pattern: string): boolean => openScreens.some((screen) => screen === pattern);

/** Whether the API also answers GET at this path. `Accept` then decides whether a client gets the page or JSON. */
const isSharedWithApi = (path: string) => operationTable.match(path)?.value.has('GET') ?? false;

/** Paths of pages by address, also with a trailing slash. Leaves out pages at whose address the API also answers GET. */
const pageOnlyAddresses = new Map(
  publicPages
    .filter(({ path }) => !isSharedWithApi(path))
    .flatMap(({ path }) => [
      [path, path],
      [`${path}/`, path],
    ]),
);

/**
 * Public pages and the screens that are open to everyone, as HTML. Each is rendered once per version of the content and build of the web process.
 * They are kept by path, so other queries or spellings add no copies. While the web process is down, the kept ones are served.
 */
@Injectable()
export class RenderedPages {
  private readonly kept = new Map<string, KeptPage>();
  private readonly rendering = new Map<string, Promise<StoredAnswer>>();
  private failedAt = -Infinity;

  constructor(
    private readonly content: ContentCache,
    private readonly renderer: Renderer,
    private readonly builds: WebBuilds,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The page at exactly this address, if its newest version is in memory and `Accept` does not matter there. */
  findInMemory(url: string): StoredAnswer | undefined {
    const path = pageOnlyAddresses.get(url);
    const kept = path === undefined ? undefined : this.kept.get(path);
    return kept !== undefined && this.isCurrent(kept) ? kept.answer : undefined;
  }

  /** Rejects if the page cannot be rendered and no older one is kept. */
  getPage(path: string): Promise<StoredAnswer> {
    return this.newestAvailable(path);
  }

  /**
   * `path` is that of a screen that is open to everyone. Unless an older rendering is kept, rejects if rendering fails, has just failed, or takes
   * longer than `maxWaitMs`. The caller can then send a shell.
   */
  async getScreen(path: string): Promise<StoredAnswer> {
    if (!this.kept.has(path) && this.hasJustFailed) throw new DomainError('UNAVAILABLE');
    return within(maxWaitMs, this.newestAvailable(path));
  }

  getNotFoundPage(): Promise<StoredAnswer> {
    return this.newestAvailable(notFoundPath);
  }

  private async newestAvailable(path: string): Promise<StoredAnswer> {
    const kept = this.kept.get(path);
    if (kept && this.isCurrent(kept)) return kept.answer;
    if (!kept) return this.renderOnce(path);
    if (this.hasJustFailed) return kept.answer;
    return within(maxWaitMs, this.renderOnce(path)).catch(() => kept.answer);
  }

  private get hasJustFailed(): boolean {
    return performance.now() - this.failedAt < retryDelayMs;
  }

  private isCurrent({ version, build, renderedAt }: KeptPage): boolean {
    if (version !== this.content.latest.version) return false;
    const newest = this.builds.version;
    return newest === undefined || newest === build || performance.now() - renderedAt < otherBuildMs;
  }

  private renderOnce(path: string): Promise<StoredAnswer> {
    const known = this.rendering.get(path);
    if (known) return known;
    const rendering = this.render(path).finally(() => this.rendering.delete(path));
    this.rendering.set(path, rendering);
    return rendering;
  }

  private async render(path: string): Promise<StoredAnswer> {
    const status = path === notFoundPath ? 404 : 200;
    for (let attempt = 1; ; attempt += 1) {
      const site = this.content.latest;
      const { html, build } = await this.renderer.render(path, site, status).catch((error: unknown) => {
        this.failedAt = performance.now();
        this.logger.warn({ err: error, path }, 'Could not render a page');
        throw error;
      });
      const isNewest = site === this.content.latest;
      if (!isNewest && attempt < maxAttempts) continue;
      const answer = new StoredAnswer({ status, body: html, headers: this.headersFor(path) });
      // Compression delays the first visitor by some 60 ms, but makes the page four times smaller.
      await answer.compressed;
      const renderedAt = performance.now();
      // If the content has changed meanwhile, only the requests that wait for this page get it.
      if (isNewest) this.kept.set(path, { version: site.version, build, renderedAt, answer });
      return answer;
    }
  }

  private headersFor(path: string): Record<string, string> {
    // `private` keeps shared caches, which often ignore `Vary`, from storing the answer. Screens have the same headers as their shells.
    const isPrivate = isSharedWithApi(path) || isOpenScreen(path);
    // At an address without a page, clients that prefer JSON get a problem instead.
    const varies = isPrivate || path === notFoundPath;
    const isIndexed = path !== notFoundPath && !isOpenScreen(path);
    return {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': isPrivate ? 'private, no-cache' : 'public, no-cache',
      ...(varies ? { Vary: 'Accept' } : {}),
      ...(isIndexed ? {} : notIndexed),
      ...this.headers.page,
    };
  }
}
