import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { contentContract, system } from '#libs/contracts';
import { LOGGER, type Logger, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';

/** Nest's token for the addresses of Redis and of the site. */
export const SITE_NAMES_SETTINGS = Symbol('site names settings');
export interface SiteNamesSettings {
  redisUrl: string;
  publicUrl: string;
}

/** For how long a name is remembered, and how long content may take to say it: somebody waits for their registration. */
const REMEMBERED_MS = 60_000;
const DEADLINE_MS = 1_000;

/** What the site is called: the name in its content, and the parts of its host name. */
@Injectable()
export class SiteNameService implements OnModuleInit, OnApplicationShutdown {
  private readonly rpc: RpcClient;
  /** The site's host name and its parts: known without asking content. */
  readonly ofHost: readonly string[];
  private name = '';
  private asked?: { at: number; answered: Promise<void> };

  constructor(
    @Inject(SITE_NAMES_SETTINGS) { redisUrl, publicUrl }: SiteNamesSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'identity', logger, observer });
    const { hostname } = new URL(publicUrl);
    this.ofHost = [hostname, ...hostname.split('.')];
  }

  onModuleInit(): void {
    // Calls made before it is connected wait, until their deadline.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }

  /** While content does not answer: the name that it gave last, if any. */
  async current(): Promise<string[]> {
    if (!this.asked || performance.now() - this.asked.at > REMEMBERED_MS) {
      this.asked = { at: performance.now(), answered: this.ask() };
    }
    await this.asked.answered;
    return [this.name, ...this.ofHost];
  }

  private async ask(): Promise<void> {
    try {
      const options = { actor: system, deadlineMs: DEADLINE_MS };
      const [about] = await this.rpc.call(contentContract.list, { section: 'footerAbout' }, options);
      this.name = typeof about?.aboutFooterText === 'string' ? about.aboutFooterText : '';
    } catch (error) {
      this.logger.info({ err: error }, 'Content did not say what the site is called');
    }
  }
}
