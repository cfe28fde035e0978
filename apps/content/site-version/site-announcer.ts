import { Inject, Injectable } from '@nestjs/common';
import { broadcasts } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Broadcaster } from '#libs/transport';

@Injectable()
export class SiteAnnouncer {
  constructor(
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Call it after the commit. Only a hint: gateways also poll every second. */
  announce(version: number): void {
    this.broadcaster.publish(broadcasts.contentVersion, { version }).catch((error: unknown) => {
      this.logger.warn({ err: error, version }, 'The new version of the content could not be broadcast');
    });
  }
}
