import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { Colleagues } from '../colleagues.js';
import { SiteCopy } from './site-copy.js';

/** How long after a start content is asked again while it does not answer. */
const retryMs = { first: 500, most: 30_000 };

/** Asks content for the site at the start, since its events go back a day at most. In the background: mails need not wait for it. */
@Injectable()
export class SiteFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private retry?: NodeJS.Timeout;
  private asking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly copy: SiteCopy,
    private readonly colleagues: Colleagues,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.ask(retryMs.first);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.asking;
  }

  private ask(waitMs: number): void {
    this.asking = this.takeIn().catch((error: unknown) => {
      if (this.stopped) return;
      this.logger.info({ err: error }, 'Content has not told name and logo yet');
      this.retry = setTimeout(() => this.ask(Math.min(2 * waitMs, retryMs.most)), waitMs);
      this.retry.unref();
    });
  }

  private async takeIn(): Promise<void> {
    await this.copy.takeIn(await this.colleagues.site());
  }
}
