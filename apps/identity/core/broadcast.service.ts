import { Inject, Injectable } from '@nestjs/common';
import { type BroadcastChannel, broadcasts } from '#libs/contracts';
import { LOGGER, type Logger } from '#libs/platform';
import { Broadcaster } from '#libs/transport';

/** Tells the gateways that sessions or roles that they remember are out of date. Call it after the commit. */
@Injectable()
export class BroadcastService {
  constructor(
    private readonly broadcaster: Broadcaster,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never fails: without a broadcast, what the gateways remember expires within a second. */
  async publish(channel: BroadcastChannel, payload: object): Promise<void> {
    try {
      await this.broadcaster.publish(channel, payload);
    } catch (error) {
      this.logger.warn({ err: error, channel }, 'Broadcasting a change failed');
    }
  }

  async publishEndedSessions(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length > 0) await this.publish(broadcasts.sessionsEnded, { sessionIds });
  }
}
