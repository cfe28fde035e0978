import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { broadcasts } from '#libs/contracts';
import { LOGGER } from '#libs/platform';
import { Broadcaster } from '#libs/transport';

/** Tells every gateway of a new version of the site, after it was committed, so that none waits for its next look. */
@Injectable()
export class SiteAnnouncer {
  constructor(
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A hint only: gateways also look for themselves each second, so a lost one does no harm. */
  announce(version: number): void {
    this.broadcaster.publish(broadcasts.contentVersion, { version }).catch((error: unknown) => {
      this.logger.warn({ err: error, version }, 'The new version of the content was not broadcast');
    });
  }
}
