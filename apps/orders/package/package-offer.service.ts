import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { centsOf } from '../money/price.js';
import { ContentClient } from './content.client.js';
import { PackageProjectionService } from './package-projection.service.js';
import { PackageRepository } from './package.repository.js';

/** A package on offer. */
export interface Offer {
  name: string;
  /** As written in content. */
  price: string;
  cents: number;
}

/** Pauses between attempts to load the packages after a start. */
const retryMs = { first: 500, most: 30_000 };

/** More than a shop will ever sell; bounds the memory that invented names take. */
const maxRemembered = 1000;

/**
 * Knows which packages are on offer at which price. Asks content at the start, because events go back a day at most, and whenever an order names an
 * unknown package or another price. While content is down, the last known offers are valid.
 */
@Injectable()
export class PackageOfferService implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Saves a query. An outdated entry does no harm: placing an order checks the table again. */
  private readonly remembered = new Map<string, Offer>();
  private siteVersion?: number;
  private refreshing?: Promise<void>;
  private refreshingNext?: Promise<void>;
  private retry?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly packages: PackageRepository,
    private readonly projection: PackageProjectionService,
    private readonly content: ContentClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.load(retryMs.first);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.refreshing?.catch(() => undefined);
  }

  /** The offer as last known; undefined for an unknown package. */
  async known(name: string): Promise<Offer | undefined> {
    return this.remembered.get(name) ?? (await this.read(name));
  }

  /** The offer as content has it now, or as last known if content does not answer. */
  async latest(name: string): Promise<Offer | undefined> {
    await this.refresh().catch(() => undefined);
    return this.read(name);
  }

  private async read(name: string): Promise<Offer | undefined> {
    this.remembered.delete(name);
    const found = await this.packages.find(name);
    if (!found) return undefined;
    const offer = { ...found, cents: centsOf(found.price) };
    this.remembered.set(name, offer);
    if (this.remembered.size > maxRemembered) this.remembered.delete(this.remembered.keys().next().value!);
    return offer;
  }

  /** Asks content once at a time. Callers that arrive while it answers share the next answer, not the older one. */
  private refresh(): Promise<void> {
    if (this.refreshing) {
      return (this.refreshingNext ??= this.refreshing
        .catch(() => undefined)
        .then(() => {
          this.refreshingNext = undefined;
          return this.refresh();
        }));
    }
    this.refreshing = this.applySnapshot().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async applySnapshot(): Promise<void> {
    const site = await this.content.snapshotAfter(this.siteVersion);
    if (!site) return;
    await this.projection.applySnapshot(site);
    this.siteVersion = site.version;
  }

  /** Runs in the background: the service is ready without it. */
  private load(waitMs: number): void {
    this.refresh().catch((error: unknown) => {
      if (this.stopped) return;
      this.logger.info({ err: error }, 'Loading the packages from content failed; trying again');
      this.retry = setTimeout(() => this.load(Math.min(2 * waitMs, retryMs.most)), waitMs);
      this.retry.unref();
    });
  }
}
