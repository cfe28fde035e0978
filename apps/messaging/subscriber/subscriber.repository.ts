import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, messagingContract, PageOf, SubscriberStatus } from '#libs/contracts';
import {
  boundedSearch,
  containing,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  updateRecord,
  uuidv7,
} from '#libs/database';
import { SubscriberEntity } from './subscriber.entity.js';

type ListRequest = HandlerInput<typeof messagingContract.listSubscribers>;

const orders: Record<ListRequest['sort'], Omit<ListOrder<SubscriberEntity>, 'direction'>> = {
  createdAt: newestFirst,
  email: { by: 'emailSorted', kind: 'text' },
};

const writeLock = { mode: 'pessimistic_write' } as const;

/** The table `subscribers`. */
@Injectable()
export class SubscriberRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: ListTotals,
  ) {}

  /** INVALID_INPUT; UNAVAILABLE for a search that takes too long. */
  list({ search, status, sort, direction, ...request }: ListRequest): Promise<PageOf<SubscriberEntity>> {
    return boundedSearch(this.dataSource, search, async (manager) => {
      const selected = manager.createQueryBuilder(SubscriberEntity, 'subscriber');
      if (status) selected.where({ status });
      if (search) selected.andWhere('subscriber.email ILIKE :pattern', { pattern: containing(search) });
      const total = await this.totals.of(selected);
      return { total, ...(await listPage(selected, request, { ...orders[sort], direction })) };
    });
  }

  /** With a transaction, the subscriber is locked until it ends. */
  async find(id: string, tx?: EntityManager): Promise<SubscriberEntity | null> {
    return isUuid(id)
      ? (tx ?? this.dataSource.manager).findOne(SubscriberEntity, {
          where: { id },
          ...(tx && { lock: writeLock }),
        })
      : null;
  }

  /** Locks those that exist, in the order of their ids, which prevents deadlocks. */
  lockMany(tx: EntityManager, ids: readonly string[]): Promise<SubscriberEntity[]> {
    return tx.find(SubscriberEntity, { where: { id: In(ids) }, order: { id: 'ASC' }, lock: writeLock });
  }

  /** The address is in lower case. */
  findByAddress(address: string): Promise<SubscriberEntity | null> {
    return this.dataSource.manager.findOneBy(SubscriberEntity, { emailNormalized: address });
  }

  /** The address is in lower case. Waits for a removal of the subscriber that is under way, and then finds nothing. */
  lockByAddress(tx: EntityManager, address: string): Promise<SubscriberEntity | null> {
    return tx.findOne(SubscriberEntity, { where: { emailNormalized: address }, lock: writeLock });
  }

  /** Does nothing if the address is there already. */
  async insert(tx: EntityManager, subscriber: SubscriberEntity): Promise<void> {
    await tx.createQueryBuilder().insert().into(SubscriberEntity).values(subscriber).orIgnore().execute();
  }

  /** Changes fields of a subscriber that the caller has locked. */
  update(
    tx: EntityManager,
    subscriber: SubscriberEntity,
    fields: Partial<SubscriberEntity>,
    now: Date,
  ): Promise<void> {
    return updateRecord(tx, SubscriberEntity, subscriber, fields, now);
  }

  /** The same without a new version, for one who was inserted in this transaction. */
  async complete(
    tx: EntityManager,
    subscriber: SubscriberEntity,
    fields: Partial<SubscriberEntity>,
  ): Promise<void> {
    await tx.update(SubscriberEntity, subscriber.id, fields);
    Object.assign(subscriber, fields);
  }

  /** Adds subscribers who have consented elsewhere, and returns the lower-case addresses of those who were not there before. */
  async insertImported(
    tx: EntityManager,
    importId: string,
    consent: string,
    emails: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.sql<{ address: string }[]>`
      INSERT INTO subscribers (id, email, email_normalized, version, created_at, updated_at, status,
        consent_at, consent_source, consent_text, import_id)
      SELECT id, email, address, 1, now(), now(), 'subscribed', now(), 'import', ${consent}, ${importId}::uuid
      FROM unnest(${emails.map(() => uuidv7())}::uuid[], ${emails}::text[], ${emails.map((email) => email.toLowerCase())}::text[])
        AS new (id, email, address)
      ON CONFLICT (email_normalized) DO NOTHING RETURNING email_normalized AS address`;
    return rows.map(({ address }) => address);
  }

  /** The status of each of these lower-case addresses that is there, and whether this import added it. */
  statusesOf(
    tx: EntityManager,
    importId: string,
    addresses: readonly string[],
  ): Promise<{ address: string; status: SubscriberStatus; isFromImport: boolean }[]> {
    return tx.sql`
      SELECT email_normalized AS address, status, import_id IS NOT DISTINCT FROM ${importId}::uuid AS "isFromImport"
      FROM subscribers WHERE email_normalized = ANY (${addresses}::text[])`;
  }

  /** How many people would get a newsletter now. */
  countSubscribed(): Promise<number> {
    return this.dataSource.manager.countBy(SubscriberEntity, { status: 'subscribed' });
  }

  /** False if the address is not there, or suppressed already. */
  async suppress(tx: EntityManager, address: string, reason: string): Promise<boolean> {
    const [, suppressed] = await tx.sql<[unknown, number]>`
      UPDATE subscribers SET status = 'suppressed', status_unsuppressed = status, suppressed_at = now(),
        suppressed_reason = ${reason}, version = version + 1, updated_at = now()
      WHERE email_normalized = ${address} AND status <> 'suppressed'`;
    return suppressed > 0;
  }

  async deleteForPerson(tx: EntityManager, address: string): Promise<void> {
    await tx.delete(SubscriberEntity, { emailNormalized: address });
  }
}
