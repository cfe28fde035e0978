import { Injectable } from '@nestjs/common';
import {
  type BulkOutcome,
  DomainError,
  type HandlerInputs,
  messagingContract,
  type PageOf,
  type Subscriber,
  type SubscriberRecord,
} from '#libs/contracts';
import { AuditTrail, Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { type DeletableKind, DeletionService } from '../deleted/deletion.service.js';
import { ConfirmationMailService } from './confirmation-mail.service.js';
import type { SubscriberEntity } from './subscriber.entity.js';
import { SubscriberRepository } from './subscriber.repository.js';
import { subscriberRecordView, subscriberView } from './subscriber-view.js';

type Input = HandlerInputs<typeof messagingContract>;

/** An address is on the list once, whatever its letter case. */
@Injectable()
export class SubscriberService {
  private readonly deletable: DeletableKind<SubscriberEntity>;

  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly subscribers: SubscriberRepository,
    private readonly confirmations: ConfirmationMailService,
    private readonly deletion: DeletionService,
  ) {
    this.deletable = {
      table: 'subscribers',
      repository: subscribers,
      describe: ({ email }) => ({ section: 'subscriber', name: email, values: { email } }),
    };
  }

  /**
   * If the address is already on the list, only admins get its record. Anybody else gets the same answer as for a new address, because the record
   * would reveal who is subscribed.
   */
  @Handles(messagingContract.addSubscriber)
  async add({ body: { email }, ip }: Input['addSubscriber'], context: RequestContext): Promise<Subscriber> {
    const isAdmin = context.actor.role === 'admin';
    const answer = await this.inbox.once(context, async (tx) => {
      const added = this.subscribers.make({
        email,
        // Addresses are ASCII by contract, so `lower` in Postgres gives the same result.
        emailNormalized: email.toLowerCase(),
        status: 'pending',
      });
      // Does nothing if the address is on the list.
      await this.subscribers.insert(tx, added);
      const stored = await this.subscribers.lockByAddress(tx, added.emailNormalized);
      // The existing subscriber was removed between the two statements.
      if (!stored) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
      const isNew = stored.id === added.id;
      // The IP address is evidence of consent only if it is that of the person who signs up.
      const signUp = isAdmin ? ({ source: 'admin' } as const) : ({ source: 'form', ip } as const);
      await this.confirmations.request(tx, stored, { ...signUp, isNew });
      return subscriberView(isAdmin ? stored : added);
    });
    this.confirmations.wakeMailWorker();
    return answer;
  }

  @Handles(messagingContract.listSubscribers)
  async list(request: Input['listSubscribers']): Promise<PageOf<SubscriberRecord>> {
    const { items, ...page } = await this.subscribers.list(request);
    return { ...page, items: items.map(subscriberRecordView) };
  }

  /** The subscriber gets back the status that the suppression replaced. */
  @Handles(messagingContract.liftSuppression)
  liftSuppression(selection: Input['liftSuppression'], context: RequestContext): Promise<SubscriberRecord> {
    return this.inbox.once(context, async (tx) => {
      const subscriber = await this.subscribers.lock(tx, selection, subscriberRecordView);
      if (subscriber.status !== 'suppressed') throw new DomainError('INVALID_TRANSITION');
      const { suppressedReason, statusUnsuppressed } = subscriber;
      const status = statusUnsuppressed ?? 'pending';
      await this.subscribers.update(tx, subscriber, {
        status,
        statusUnsuppressed: null,
        suppressedAt: null,
        suppressedReason: null,
      });
      await this.audit.record(tx, context.actor, {
        section: 'subscriber',
        recordId: subscriber.id,
        name: subscriber.email,
        change: 'updated',
        before: { status: 'suppressed', suppressedReason },
        after: { status, suppressedReason: null },
      });
      return subscriberRecordView(subscriber);
    });
  }

  @Handles(messagingContract.deleteSubscriber)
  remove(selection: Input['deleteSubscriber'], context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const subscriber = await this.subscribers.lock(tx, selection, subscriberRecordView);
      await this.deletion.delete(tx, this.deletable, [subscriber], context);
      return { _id: subscriber.id };
    });
  }

  @Handles(messagingContract.deleteSubscribers)
  removeMany({ ids }: Input['deleteSubscribers'], context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.deleteMany(this.deletable, ids, context);
  }

  @Handles(messagingContract.restoreSubscribers)
  restoreMany({ ids }: Input['restoreSubscribers'], context: RequestContext): Promise<BulkOutcome> {
    return this.deletion.restoreMany(this.deletable, ids, context);
  }
}
