import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { contentContract, system } from '#libs/contracts';
import { LOGGER, type Logger, Metrics } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';

const rememberMs = 60_000;
/** How long content may take to answer: somebody is waiting for their registration. */
const deadlineMs = 1_000;

/** The names of the site: the one in its content, and the parts of its host name. */
@Injectable()
export class SiteNameService implements OnModuleInit, OnApplicationShutdown {
  private readonly rpc: RpcClient;
  /** The site's host name and its parts, which are known without asking content. */
  readonly ofHost: readonly string[];
  private name = '';
  private asked?: { at: number; answered: Promise<void> };

  constructor(
    @Inject(IDENTITY_CONFIG) { REDIS_URL: redisUrl, PUBLIC_URL: publicUrl }: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    { observer }: Metrics,
  ) {
    this.rpc = new RpcClient({ redisUrl, caller: 'identity', logger, observer });
    const { hostname } = new URL(publicUrl);
    this.ofHost = [hostname, ...hostname.split('.')];
  }

  onModuleInit(): void {
    // Calls that are made before it is connected wait until their deadline.
    void this.rpc.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rpc.close();
  }

  /** All names. While content does not answer, the last name that it gave is used, if there is one. */
  async current(): Promise<string[]> {
    if (!this.asked || performance.now() - this.asked.at > rememberMs) {
      this.asked = { at: performance.now(), answered: this.ask() };
    }
    await this.asked.answered;
    return [this.name, ...this.ofHost];
  }

  private async ask(): Promise<void> {
    try {
      const options = { actor: system, deadlineMs };
      const [about] = await this.rpc.call(contentContract.list, { section: 'footerAbout' }, options);
      this.name = typeof about?.aboutFooterText === 'string' ? about.aboutFooterText : '';
    } catch (error) {
      this.logger.info({ err: error }, 'Content did not answer with the site’s name');
    }
  }
}
