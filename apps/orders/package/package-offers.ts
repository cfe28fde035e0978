import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '#libs/platform';
import { centsOf } from '../money/price.js';
import { PackageProjection } from './package-projection.js';
import { SiteContent } from './site-content.js';

/** A package that is for sale. */
export interface Offer {
  name: string;
  /** As content has it written. */
  price: string;
  cents: number;
}

/** How long after a start content is asked again while it does not answer. */
const retryMs = { first: 500, most: 30_000 };

/** As many names as a shop will ever sell, and a bound for what is made up. */
const rememberedAtMost = 1000;

/**
 * What is for sale at which price. Content is asked at the start, since its events go back a day at most, and whenever somebody orders what is not
 * known or at another price; while it is down, what is known holds.
 */
@Injectable()
export class PackageOffers implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A hint that saves a query: an order is only placed if the table still says so. */
  private readonly remembered = new Map<string, Offer>();
  private siteVersion?: number;
  private asking?: Promise<void>;
  private askingNext?: Promise<void>;
  private retry?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly projection: PackageProjection,
    private readonly content: SiteContent,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.fill(retryMs.first);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.asking?.catch(() => undefined);
  }

  /** What was known a moment ago; undefined for a package nobody has heard of. */
  async known(name: string): Promise<Offer | undefined> {
    return this.remembered.get(name) ?? (await this.read(name));
  }

  /** What content says now, or what is known if it does not answer. */
  async latest(name: string): Promise<Offer | undefined> {
    await this.ask().catch(() => undefined);
    return this.read(name);
  }

  private async read(name: string): Promise<Offer | undefined> {
    this.remembered.delete(name);
    const found = await this.projection.find(name);
    if (!found) return undefined;
    const offer = { ...found, cents: centsOf(found.price) };
    this.remembered.set(name, offer);
    if (this.remembered.size > rememberedAtMost) this.remembered.delete(this.remembered.keys().next().value!);
    return offer;
  }

  /** However many ask, content is asked by one at a time; who comes while it answers waits for the next answer, not an older one. */
  private ask(): Promise<void> {
    if (this.asking) {
      return (this.askingNext ??= this.asking
        .catch(() => undefined)
        .then(() => {
          this.askingNext = undefined;
          return this.ask();
        }));
    }
    this.asking = this.takeIn().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async takeIn(): Promise<void> {
    const site = await this.content.newerThan(this.siteVersion);
    if (!site) return;
    await this.projection.takeIn(site);
    this.siteVersion = site.version;
  }

  /** In the background: the service is ready without it. */
  private fill(waitMs: number): void {
    this.ask().catch((error: unknown) => {
      if (this.stopped) return;
      this.logger.info({ err: error }, 'Content has not told its packages yet');
      this.retry = setTimeout(() => this.fill(Math.min(2 * waitMs, retryMs.most)), waitMs);
      this.retry.unref();
    });
  }
}
