import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  DomainError,
  type HandlerInput,
  type messagingContract,
  type PageOf,
  type Subscriber,
  type SubscriberRecord,
} from '#libs/contracts';
import {
  AuditTrail,
  boundedSearch,
  containing,
  Inbox,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  uuidv7,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { ConfirmationMails } from './confirmation-mails.js';
import { subscriberRecordView, subscriberView } from './subscriber-view.js';
import { SubscriberRemovals } from './subscriber-removals.js';
import { SubscriberEntity } from './subscriber.entity.js';

type ListInput = HandlerInput<typeof messagingContract.listSubscribers>;

const orders: Record<ListInput['sort'], Omit<ListOrder<SubscriberEntity>, 'direction'>> = {
  createdAt: newestFirst,
  email: { by: 'emailSorted', kind: 'text' },
};

/** Who gets the newsletter: each address once, without letter case. */
@Injectable()
export class SubscriberService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly totals: ListTotals,
    private readonly audit: AuditTrail,
    private readonly confirmations: ConfirmationMails,
    private readonly removals: SubscriberRemovals,
  ) {}

  /**
   * Adds this address, once, and asks its owner by a mail. One that is there already is answered like a new one, to anybody but an admin: who
   * is subscribed is nobody else's business, and the record's id, age and status would tell. Of those who race for one address one adds it.
   */
  async add({ email, ip }: { email: string; ip?: string }, context: RequestContext): Promise<Subscriber> {
    const isAdmin = context.actor.role === 'admin';
    const answer = await this.inbox.once(context, async (tx) => {
      const now = new Date();
      const added = tx.create(SubscriberEntity, {
        id: uuidv7(),
        email,
        // The domain part of an address is ASCII by contract.
        emailNormalized: email.toLowerCase(),
        version: 1,
        createdAt: now,
        updatedAt: now,
        status: 'pending',
      });
      await tx.createQueryBuilder().insert().into(SubscriberEntity).values(added).orIgnore().execute();
      // A removal that is under way is waited for, and then this asks for another try.
      const stored = await tx.findOne(SubscriberEntity, {
        where: { emailNormalized: added.emailNormalized },
        lock: { mode: 'pessimistic_write' },
      });
      if (!stored) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
      const isNew = stored.id === added.id;
      await this.confirmations.ask(tx, stored, { source: isAdmin ? 'admin' : 'form', ip, isNew });
      return subscriberView(isAdmin ? stored : added);
    });
    this.confirmations.announce();
    return answer;
  }

  /** INVALID_INPUT, UNAVAILABLE for a search that takes too long. */
  async list({ search, status, sort, direction, ...request }: ListInput): Promise<PageOf<SubscriberRecord>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(SubscriberEntity, 'subscriber');
      if (status) chosen.where({ status });
      if (search) chosen.andWhere('subscriber.email ILIKE :pattern', { pattern: containing(search) });
      const total = await this.totals.of(chosen);
      const { items, nextCursor } = await listPage(chosen, request, { ...orders[sort], direction });
      return { items: items.map(subscriberRecordView), total, nextCursor };
    });
  }

  /** Mail may be sent there again. Throws NOT_FOUND, INVALID_TRANSITION, VERSION_MISMATCH. */
  liftSuppression({ id, ifVersion }: Chosen, context: RequestContext): Promise<SubscriberRecord> {
    return this.inbox.once(context, async (tx) => {
      const subscriber = await lockedSubscriber(tx, id, ifVersion);
      if (subscriber.status !== 'suppressed') throw new DomainError('INVALID_TRANSITION');
      const change = {
        status: subscriber.statusUnsuppressed ?? 'pending',
        statusUnsuppressed: null,
        suppressedAt: null,
        suppressedReason: null,
        updatedAt: new Date(),
        version: subscriber.version + 1,
      } satisfies Partial<SubscriberEntity>;
      await tx.update(SubscriberEntity, subscriber.id, change);
      await this.audit.record(tx, context.actor, {
        section: 'subscriber',
        recordId: subscriber.id,
        name: subscriber.email,
        change: 'updated',
        before: { status: 'suppressed', suppressedReason: subscriber.suppressedReason },
        after: { status: change.status, suppressedReason: null },
      });
      return subscriberRecordView(Object.assign(subscriber, change));
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH. */
  remove({ id, ifVersion }: Chosen, context: RequestContext): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const subscriber = await lockedSubscriber(tx, id, ifVersion);
      await this.removals.take(tx, [subscriber], context);
      return { _id: subscriber.id };
    });
  }
}

interface Chosen {
  id: string;
  ifVersion?: number;
}

/** NOT_FOUND, VERSION_MISMATCH. */
async function lockedSubscriber(
  tx: EntityManager,
  id: string,
  ifVersion: number | undefined,
): Promise<SubscriberEntity> {
  const subscriber = isUuid(id)
    ? await tx.findOne(SubscriberEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
    : null;
  if (!subscriber) throw new DomainError('NOT_FOUND');
  if (ifVersion !== undefined && ifVersion !== subscriber.version) {
    throw new DomainError('VERSION_MISMATCH', { current: subscriberRecordView(subscriber) });
  }
  return subscriber;
}
