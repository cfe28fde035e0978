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
    // Locked before the deleted records and changed after them: another order could deadlock with the unsubscription of a listed subscriber, or with
    // an import.
    await this.subscribers.lockByAddress(tx, address);
    const suppressedDeleted = await this.deletedSubscribers.suppress(tx, address, reason);
    const suppressedListed = await this.subscribers.suppress(tx, address, reason);
    return suppressedDeleted || suppressedListed;
  }
}
