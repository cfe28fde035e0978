import { Inject, Injectable } from '@nestjs/common';
import { siteNameOf } from '#libs/content-model';
import { contentContract, system } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { RpcClient } from '#libs/transport';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';

const rememberMs = 60_000;
/** Short, because somebody who sets a password is waiting. */
const deadlineMs = 1_000;

/** The site's names, which no password may be: the one in its content, its host name, and the host name's parts. */
@Injectable()
export class SiteNameService {
  /** Known without asking content. */
  readonly hostNames: readonly string[];
  private name = '';
  private request?: { startedAt: number; completion: Promise<void> };

  constructor(
    private readonly rpc: RpcClient,
    @Inject(IDENTITY_CONFIG) { PUBLIC_URL }: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { hostname } = new URL(PUBLIC_URL);
    this.hostNames = [hostname, ...hostname.split('.')];
  }

  /** While content does not answer, the last name that it gave is used. */
  async current(): Promise<string[]> {
    if (!this.request || performance.now() - this.request.startedAt > rememberMs) {
      this.request = { startedAt: performance.now(), completion: this.ask() };
    }
    await this.request.completion;
    return [this.name, ...this.hostNames];
  }

  private async ask(): Promise<void> {
    try {
      const options = { actor: system, deadlineMs };
      // If no site name is set, `siteNameOf` takes the footer's heading.
      const [siteName, footerAbout] = await Promise.all(
        ['siteName', 'footerAbout'].map((section) =>
          this.rpc.call(contentContract.list, { section }, options),
        ),
      );
      this.name = siteNameOf({ siteName, footerAbout }) ?? '';
    } catch (error) {
      this.logger.info({ err: error }, 'Content did not answer with the site’s name');
      // Asks again for the next password, because no name is known yet.
      if (this.name === '') this.request = undefined;
    }
  }
}
