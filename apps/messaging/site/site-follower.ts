import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { contentContract, system } from '#libs/contracts';
import { LOGGER, type Logger, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { MESSAGING_CONFIG, type MessagingConfig } from '../config.js';
import { SiteCopy } from './site-copy.js';

const deadlineMs = 5_000;
/** How long after a start content is asked again while it does not answer. */
const retryMs = { first: 500, most: 30_000 };

/** Asks content for the site at the start, since its events go back a day at most. In the background: mails need not wait for it. */
@Injectable()
export class SiteFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly rpc: RpcClient;
  private retry?: NodeJS.Timeout;
  private asking: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly copy: SiteCopy,
    @Inject(MESSAGING_CONFIG) { REDIS_URL: redisUrl }: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'messaging', logger, observer });
  }

  onApplicationBootstrap(): void {
    void this.rpc.connect();
    this.ask(retryMs.first);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.rpc.close();
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
    const snapshot = await this.rpc.call(contentContract.snapshot, {}, { actor: system, deadlineMs });
    await this.copy.takeIn(snapshot);
  }
}
