import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeletedSubscriberRepository } from './deleted-subscriber.repository.js';
import { SubscriberRepository } from './subscriber.repository.js';

/** Stops newsletters to an address until an admin lifts the suppression. */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly subscribers: SubscriberRepository,
    private readonly deletedSubscribers: DeletedSubscriberRepository,
  ) {}

  /** Also suppresses a deleted subscriber who can still be restored. False if there is no such subscriber, or if they are suppressed already. */
  async suppress(tx: EntityManager, email: string, reason: string): Promise<boolean> {
    const address = email.toLowerCase();
    // An import locks deleted records first, too.
    const suppressedDeleted = await this.deletedSubscribers.suppress(tx, address, reason);
    const suppressedListed = await this.subscribers.suppress(tx, address, reason);
    // The subscriber may have been deleted between the two statements.
    return suppressedDeleted || suppressedListed || this.deletedSubscribers.suppress(tx, address, reason);
  }
}
