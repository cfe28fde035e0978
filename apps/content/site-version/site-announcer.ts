import { Inject, Injectable } from '@nestjs/common';
import { broadcasts } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Broadcaster } from '#libs/transport';

/** Tells all gateways about a new version of the site after the commit, so that they need not wait until they poll. */
@Injectable()
export class SiteAnnouncer {
  constructor(
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Only a hint: gateways also poll every second, so a lost one does no harm. */
  announce(version: number): void {
    this.broadcaster.publish(broadcasts.contentVersion, { version }).catch((error: unknown) => {
      this.logger.warn({ err: error, version }, 'The new version of the content could not be broadcast');
    });
  }
}
