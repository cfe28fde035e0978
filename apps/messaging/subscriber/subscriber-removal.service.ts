import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type BulkOutcome, bulkOutcomeOf } from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { DeletedRecordRepository } from '../deleted/deleted-record.repository.js';
import type { SubscriberEntity } from './subscriber.entity.js';
import { SubscriberRepository } from './subscriber.repository.js';

/** Removes subscribers for admins, and restores them. */
@Injectable()
export class SubscriberRemovalService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly subscribers: SubscriberRepository,
    private readonly deleted: DeletedRecordRepository,
  ) {}

  /** Each may fail with NOT_FOUND. */
  removeAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const found = await this.subscribers.lockMany(tx, ids);
      await this.delete(tx, found, context);
      return bulkOutcomeOf(ids, found);
    });
  }

  /** Restores subscribers who were removed within the last hour. Each may fail with NOT_FOUND, or with DUPLICATE if the address was added again. */
  restoreAll(ids: string[], context: RequestContext): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { restored, outcome } = await this.deleted.restore(tx, 'subscribers', ids);
      for (const { id, email } of await this.subscribers.lockMany(tx, restored)) {
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

  /** Removes subscribers whom the caller has locked. */
  async delete(
    tx: EntityManager,
    subscribers: readonly SubscriberEntity[],
    { actor }: RequestContext,
  ): Promise<void> {
    await this.deleted.delete(
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
