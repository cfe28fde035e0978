import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  DomainError,
  type HandlerInput,
  type messagingContract,
  type PageOf,
  type Subscriber,
  subscriberAdded,
  type SubscriberRecord,
} from '#libs/contracts';
import {
  AuditTrail,
  containing,
  Inbox,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  Outbox,
  uuidv7,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { boundedSearch } from '../bounded-search.js';
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
    private readonly outbox: Outbox,
    private readonly totals: ListTotals,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Adds this address, once. One that is there already is answered like a new one, to anybody but an admin: who is subscribed is nobody
   * else's business, and the record's id and age would tell. Of those who race for one address one adds it.
   */
  add(email: string, context: RequestContext): Promise<Subscriber> {
    return this.inbox.once(context, async (tx) => {
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
        consentAt: now,
        consentSource: 'form',
      });
      await tx.createQueryBuilder().insert().into(SubscriberEntity).values(added).orIgnore().execute();
      // Locked: a removal that is under way is waited for, and then this asks for another try.
      const stored = await tx.findOne(SubscriberEntity, {
        where: { emailNormalized: added.emailNormalized },
        lock: { mode: 'pessimistic_read' },
      });
      if (!stored) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 });
      if (stored.id === added.id) {
        await this.outbox.append(tx, subscriberAdded, { subscriberId: added.id, email }, context);
      }
      return subscriberView(context.actor.role === 'admin' ? stored : added);
    });
  }

  /** INVALID_INPUT, UNAVAILABLE for a search that takes too long. */
  async list({ search, status, sort, direction, ...request }: ListInput): Promise<PageOf<SubscriberRecord>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const chosen = manager.createQueryBuilder(SubscriberEntity, 'subscriber');
      if (status) chosen.where({ status });
      if (search) chosen.andWhere('subscriber.email ILIKE :pattern', { pattern: containing(search) });
      const total = await this.totals.of(chosen);
      const { items, nextCursor } = await listPage(chosen, request, { ...orders[sort], direction });
      return { items: items.map(recordView), total, nextCursor };
    });
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH. */
  remove(
    { id, ifVersion }: { id: string; ifVersion?: number },
    context: RequestContext,
  ): Promise<{ _id: string }> {
    return this.inbox.once(context, async (tx) => {
      const subscriber = isUuid(id)
        ? await tx.findOne(SubscriberEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
        : null;
      if (!subscriber) throw new DomainError('NOT_FOUND');
      if (ifVersion !== undefined && ifVersion !== subscriber.version) {
        throw new DomainError('VERSION_MISMATCH', { current: recordView(subscriber) });
      }
      await tx.delete(SubscriberEntity, subscriber.id);
      await this.audit.record(tx, context.actor, {
        section: 'subscriber',
        recordId: subscriber.id,
        name: subscriber.email,
        change: 'deleted',
        before: { email: subscriber.email },
        after: null,
      });
      return { _id: subscriber.id };
    });
  }
}

function subscriberView(subscriber: SubscriberEntity): Subscriber {
  return {
    _id: subscriber.id,
    email: subscriber.email,
    status: subscriber.status,
    createdAt: subscriber.createdAt.toISOString(),
    updatedAt: subscriber.updatedAt.toISOString(),
    version: subscriber.version,
  };
}

function recordView(subscriber: SubscriberEntity): SubscriberRecord {
  const { consentAt, consentSource, suppressedAt } = subscriber;
  return {
    ...subscriberView(subscriber),
    consent:
      consentAt && consentSource
        ? {
            at: consentAt.toISOString(),
            source: consentSource,
            text: subscriber.consentText,
            ip: subscriber.consentIp,
          }
        : null,
    confirmedAt: subscriber.confirmedAt?.toISOString() ?? null,
    confirmedIp: subscriber.confirmedIp,
    unsubscribedAt: subscriber.unsubscribedAt?.toISOString() ?? null,
    suppressed: suppressedAt && {
      at: suppressedAt.toISOString(),
      reason: subscriber.suppressedReason ?? '',
    },
  };
}
