import { Injectable, Logger } from '@nestjs/common';
import type { BroadcastChannel } from '#libs/contracts';
import { Broadcaster } from '#libs/transport';

/**
 * Tells every replica of every process what it should forget. Called after the change is committed, and never
 * fails it: receivers also look for themselves each second.
 */
@Injectable()
export class BroadcastService {
  private readonly logger = new Logger(BroadcastService.name);

  constructor(private readonly broadcaster: Broadcaster) {}

  async tell(channel: BroadcastChannel, payload: object): Promise<void> {
    try {
      await this.broadcaster.publish(channel, payload);
    } catch (error) {
      this.logger.warn(`Could not broadcast ${channel}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
