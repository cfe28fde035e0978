import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import {
  contentContract,
  type ContentRecord,
  contentChanged,
  type EventPayload,
  type SiteContentSnapshot,
  system,
} from '#libs/contracts';
import { OnEvent } from './handler-decorators.js';
import type { TransportLogger } from './observer.js';
import type { RpcClient } from './rpc-client.js';

/** A service's copy of some sections of the content. Each row has the version of the site's content that it comes from (`siteVersion`). */
export interface ContentCopy {
  readonly sections: readonly string[];
  /** Stores the record, or its deletion if it is `null`, unless the row has this version or a later one. */
  store(section: string, id: string, record: ContentRecord | null, siteVersion: number): Promise<void>;
  /** Marks the rows of earlier versions as deleted, except those with these ids. */
  deleteAllExcept(ids: readonly string[], siteVersion: number): Promise<void>;
}

export interface ContentFollowerOptions {
  rpc: RpcClient;
  copies: readonly ContentCopy[];
  /** How long (ms) the content service may take to answer. */
  deadlineMs: number;
  logger: TransportLogger;
}

const retryMs = { first: 500, longest: 30_000 };

/**
 * Keeps copies of the site's content up to date, so that a service works while the content service is down. Each change arrives as an event. Streams
 * keep events for a day only, so after the start the whole content is requested until it has been stored.
 */
export class ContentFollower implements OnApplicationBootstrap, OnModuleDestroy {
  private siteVersion?: number;
  private refreshing?: Promise<void>;
  private nextRefresh?: Promise<void>;
  private storing?: Promise<void>;
  private retry?: NodeJS.Timeout;
  private stopped = false;

  constructor(private readonly options: ContentFollowerOptions) {}

  onApplicationBootstrap(): void {
    this.refreshUntilStored(retryMs.first);
  }

  /** Waits for the snapshot that is being stored, because the database closes afterwards. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.storing?.catch(() => undefined);
  }

  /** Events may arrive in any order, and more than once. */
  @OnEvent(contentChanged)
  async apply({ section, id, record, siteVersion }: EventPayload<typeof contentChanged>): Promise<void> {
    for (const copy of this.options.copies)
      if (copy.sections.includes(section)) await copy.store(section, id, record, siteVersion);
  }

  /** Treats records that the snapshot lacks as deleted. */
  async applySnapshot(site: SiteContentSnapshot): Promise<void> {
    for (const copy of this.options.copies) await this.applySnapshotTo(copy, site);
  }

  private async applySnapshotTo(
    copy: ContentCopy,
    { version, sections }: SiteContentSnapshot,
  ): Promise<void> {
    const records = copy.sections.flatMap((section) =>
      (sections[section] ?? []).map((record) => ({ section, record })),
    );
    for (const { section, record } of records) await copy.store(section, record._id, record, version);
    await copy.deleteAllExcept(
      records.map(({ record }) => record._id),
      version,
    );
  }

  /**
   * Brings the copies up to date. If a refresh is running, waits for the next one, because the running one may read older content. Rejects if the
   * content service does not answer or a copy cannot be stored.
   */
  refresh(): Promise<void> {
    if (this.refreshing) {
      return (this.nextRefresh ??= this.refreshing
        .catch(() => undefined)
        .then(() => {
          this.nextRefresh = undefined;
          return this.refresh();
        }));
    }
    this.refreshing = this.copyContent().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async copyContent(): Promise<void> {
    const { rpc, deadlineMs } = this.options;
    const callOptions = { actor: system, deadlineMs };
    if (this.siteVersion !== undefined) {
      const { version } = await rpc.call(contentContract.version, {}, callOptions);
      if (version === this.siteVersion) return;
    }
    const site = await rpc.call(contentContract.snapshot, {}, callOptions);
    if (this.stopped) return;
    this.storing = this.applySnapshot(site);
    await this.storing;
    this.siteVersion = site.version;
  }

  private refreshUntilStored(waitMs: number): void {
    this.refresh().catch((error: unknown) => {
      if (this.stopped) return;
      this.options.logger.info(
        { err: error },
        'The content could not be read or stored; it is requested again',
      );
      this.retry = setTimeout(() => this.refreshUntilStored(Math.min(2 * waitMs, retryMs.longest)), waitMs);
      this.retry.unref();
    });
  }
}
