import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { type BulkOutcome, bulkOutcomeOf } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { DeletedRecords } from '../deleted/deleted-records.js';
import { SubscriberEntity } from './subscriber.entity.js';

/** Subscribers that admins take off the list, and put back. */
@Injectable()
export class SubscriberRemovals {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly deleted: DeletedRecords,
  ) {}

  /** Of each: NOT_FOUND. */
  removeAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      // Locked in one order, so that nobody waits for each other.
      const found = await tx.find(SubscriberEntity, {
        where: { id: In(ids) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      await this.take(tx, found, context);
      return bulkOutcomeOf(ids, found);
    });
  }

  /** For an hour after they were removed. Of each: NOT_FOUND, DUPLICATE when the address has subscribed again. */
  restoreAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { restored, outcome } = await this.deleted.bringBack(tx, 'subscribers', ids);
      for (const { id, email } of await tx.findBy(SubscriberEntity, { id: In(restored) })) {
        await this.audit.record(tx, context.actor, {
          section: 'subscriber',
          recordId: id,
          name: email,
          change: 'restored',
          before: null,
          after: { email },
        });
      }
      return outcome;
    });
  }

  /** Removes subscribers that the caller holds locked, and notes it. */
  async take(
    tx: EntityManager,
    subscribers: readonly SubscriberEntity[],
    { actor }: RequestContext,
  ): Promise<void> {
    await this.deleted.take(
      tx,
      'subscribers',
      subscribers.map(({ id }) => id),
    );
    for (const { id, email } of subscribers) {
      await this.audit.record(tx, actor, {
        section: 'subscriber',
        recordId: id,
        name: email,
        change: 'deleted',
        before: { email },
        after: null,
      });
    }
  }
}
