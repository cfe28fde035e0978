import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { HandlerInput, messagingContract, PageOf, SubscriberStatus } from '#libs/contracts';
import { type ListOrder, newestFirst, RecordLists, RecordRepository, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { SubscriberEntity } from './subscriber.entity.js';

type ListRequest = HandlerInput<typeof messagingContract.listSubscribers>;

const sortOrders: Record<ListRequest['sort'], Omit<ListOrder<SubscriberEntity>, 'direction'>> = {
  createdAt: { by: newestFirst.by, kind: newestFirst.kind },
  email: { by: 'emailSorted', kind: 'text' },
};

@Injectable()
export class SubscriberRepository extends RecordRepository<SubscriberEntity> {
  constructor(
    dataSource: DataSource,
    clock: Clock,
    private readonly lists: RecordLists,
  ) {
    super(SubscriberEntity, dataSource, clock);
  }

  list({ status, email, sort, direction, ...request }: ListRequest): Promise<PageOf<SubscriberEntity>> {
    return this.lists.page(SubscriberEntity, request, {
      order: { ...sortOrders[sort], direction },
      searched: ['email'],
      filter: (records) => {
        if (status) records.andWhere({ status });
        if (email) records.andWhere({ emailNormalized: email.toLowerCase() });
      },
    });
  }

  /** `address` is in lower case. */
  findByAddress(address: string): Promise<SubscriberEntity | null> {
    return this.dataSource.manager.findOneBy(SubscriberEntity, { emailNormalized: address });
  }

  /** `address` is in lower case. Waits for a removal in progress, and then finds nothing. */
  lockByAddress(tx: EntityManager, address: string): Promise<SubscriberEntity | null> {
    return tx.findOne(SubscriberEntity, {
      where: { emailNormalized: address },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Does nothing if the address exists. */
  override async insert(tx: EntityManager, subscriber: SubscriberEntity): Promise<void> {
    await tx.createQueryBuilder().insert().into(SubscriberEntity).values(subscriber).orIgnore().execute();
  }

  /** Makes no new version, because the subscriber was inserted in this transaction. */
  async updateNew(
    tx: EntityManager,
    subscriber: SubscriberEntity,
    fields: Partial<SubscriberEntity>,
  ): Promise<void> {
    await tx.update(SubscriberEntity, subscriber.id, fields);
    Object.assign(subscriber, fields);
  }

  /** Returns the lower-case addresses that are new. Inserts in alphabetical order, so that two imports of the same addresses cannot deadlock. */
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
        AS new (id, email, address) ORDER BY address
      ON CONFLICT (email_normalized) DO NOTHING RETURNING email_normalized AS address`;
    return rows.map(({ address }) => address);
  }

  /** `addresses` are in lower case. Deletes all subscribers with them, so pass only addresses that this transaction has inserted. */
  async deleteImported(tx: EntityManager, addresses: readonly string[]): Promise<void> {
    await tx.sql`DELETE FROM subscribers WHERE email_normalized = ANY (${addresses}::text[])`;
  }

  /** `addresses` are in lower case. */
  statusesOf(
    tx: EntityManager,
    importId: string,
    addresses: readonly string[],
  ): Promise<{ address: string; status: SubscriberStatus; isFromThisImport: boolean }[]> {
    return tx.sql`
      SELECT email_normalized AS address, status, import_id IS NOT DISTINCT FROM ${importId}::uuid AS "isFromThisImport"
      FROM subscribers WHERE email_normalized = ANY (${addresses}::text[])`;
  }

  countSubscribed(): Promise<number> {
    return this.dataSource.manager.countBy(SubscriberEntity, { status: 'subscribed' });
  }

  /** `address` is in lower case. Returns false if no subscriber has it, or if the subscriber is already suppressed. */
  async suppress(tx: EntityManager, address: string, reason: string): Promise<boolean> {
    const [, suppressed] = await tx.sql<[unknown, number]>`
      UPDATE subscribers SET status = 'suppressed', status_unsuppressed = status, suppressed_at = now(),
        suppressed_reason = ${reason}, version = version + 1, updated_at = now()
      WHERE email_normalized = ${address} AND status <> 'suppressed'`;
    return suppressed > 0;
  }

  /** For a person who has deleted their account. `address` is in lower case. Returns the ids of the deleted subscribers, one at most. */
  async deleteForPerson(tx: EntityManager, address: string): Promise<string[]> {
    const [rows] = await tx.sql<[{ id: string }[], number]>`
      DELETE FROM subscribers WHERE email_normalized = ${address} RETURNING id`;
    return rows.map(({ id }) => id);
  }
}
