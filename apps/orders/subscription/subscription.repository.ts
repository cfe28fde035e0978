import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, PageOf, planSubscriptionContract } from '#libs/contracts';
import { type ListOrder, RecordLists, uuidv7 } from '#libs/database';
import { addSeconds } from '#libs/runtime';
import { SubscriptionEntryEntity } from './subscription-entry.entity.js';
import type { SubscriptionStep } from './subscription-state.js';
import { SubscriptionEntity } from './subscription.entity.js';

type ListRequest = HandlerInput<typeof planSubscriptionContract.listPlanSubscriptions>;
export type SubscriptionSelection = Omit<ListRequest, 'own' | 'customer'> & {
  accountIds?: readonly string[];
};

const sortings: Record<ListRequest['sort'], Omit<ListOrder<SubscriptionEntity>, 'direction'>> = {
  startedAt: { by: 'startedAt', kind: 'moment' },
  nextChargeAt: { by: 'nextChargeAt', kind: 'moment' },
  price: { by: 'priceCents', kind: 'integer' },
};

type AnonymizedSubscription = Pick<SubscriptionEntity, 'id' | 'firstOrderNumber' | 'packageName'>;

/** The price to announce for a package. */
interface PackagePrice {
  packageName: string;
  cents: number;
}

/** Subscriptions with the same present price, day of the next charge, and day of the month on which they began. */
interface PriceGroup {
  cents: number;
  accountIds: string[];
  earliestNextChargeAt: Date;
  latestNextChargeAt: Date;
  /** When the first of them began. Only its day of the month matters. */
  startedAt: Date;
}

const leaseSeconds = 120;
const maxEntries = 200;

@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: RecordLists,
  ) {}

  list({
    accountIds,
    state,
    package: packageName,
    sort,
    direction,
    ...request
  }: SubscriptionSelection): Promise<PageOf<SubscriptionEntity>> {
    return this.lists.page(SubscriptionEntity, request, {
      order: { ...sortings[sort], direction },
      searched: ['customerName', 'customerEmail', 'packageName'],
      filter: (records) => {
        if (accountIds) records.andWhere({ accountId: In(accountIds) });
        if (state !== undefined) records.andWhere({ state });
        if (packageName !== undefined) records.andWhere({ packageName });
        // Subscriptions that will not be charged may still have the date of a charge.
        if (sort === 'nextChargeAt')
          records.andWhere({ nextChargeAt: Not(IsNull()), desiredStatus: 'charging' });
      },
    });
  }

  async find(id: string): Promise<SubscriptionEntity | null> {
    return isUuid(id) ? this.dataSource.manager.findOneBy(SubscriptionEntity, { id }) : null;
  }

  async lock(tx: EntityManager, id: string): Promise<SubscriptionEntity | null> {
    if (!isUuid(id)) return null;
    return tx.findOne(SubscriptionEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Takes no lock: the caller has locked an order, and inquiries lock the subscription before its orders. */
  async findStartedAt(manager: EntityManager, id: string): Promise<Date | null> {
    const found = await manager.findOne(SubscriptionEntity, { select: { startedAt: true }, where: { id } });
    return found?.startedAt ?? null;
  }

  findByReference(provider: string, reference: string): Promise<SubscriptionEntity | null> {
    return this.dataSource.manager.findOneBy(SubscriptionEntity, { provider, reference });
  }

  /** Includes ended subscriptions. */
  lockOfAccount(tx: EntityManager, accountId: string): Promise<SubscriptionEntity[]> {
    return tx.find(SubscriptionEntity, {
      where: { accountId },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async insert(tx: EntityManager, subscription: SubscriptionEntity): Promise<void> {
    await tx.insert(SubscriptionEntity, subscription);
  }

  /** Changes a locked subscription, in the database and in the object `subscription`. */
  async update(
    tx: EntityManager,
    subscription: SubscriptionEntity,
    change: Partial<SubscriptionEntity>,
  ): Promise<void> {
    await tx.update(SubscriptionEntity, subscription.id, change as object);
    Object.assign(subscription, change);
  }

  /** With a version, does nothing if the subscription has changed since. */
  async scheduleInquiry(
    manager: EntityManager,
    subscription: { id: string; version?: number },
    inquireAt: Date | null,
  ): Promise<void> {
    await manager.update(SubscriptionEntity, subscription, { inquireAt });
  }

  /** Reserves subscriptions whose inquiry is due, for `leaseSeconds`. */
  async takeDue(manager: EntityManager, now: Date, count: number): Promise<SubscriptionEntity[]> {
    const [rows] = await manager.sql<[{ id: string }[], number]>`
      UPDATE subscriptions SET inquire_at = ${addSeconds(now, leaseSeconds)}
      WHERE id IN (
        SELECT id FROM subscriptions WHERE inquire_at <= ${now} ORDER BY inquire_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id`;
    return manager.findBy(SubscriptionEntity, { id: In(rows.map(({ id }) => id)) });
  }

  /** Whether an inquiry is due or may be under way: `takeDue` sets `inquireAt` to `leaseSeconds` later. */
  hasInquiriesDueOrRunning(now: Date): Promise<boolean> {
    const inquireAt = LessThanOrEqual(addSeconds(now, leaseSeconds));
    return this.dataSource.manager.existsBy(SubscriptionEntity, { inquireAt });
  }

  /** Sorted by id, with ids greater than `after`. */
  listForAnnouncement(
    manager: EntityManager,
    offer: PackagePrice,
    after: string,
    count: number,
  ): Promise<SubscriptionEntity[]> {
    return this.forAnnouncement(manager, offer)
      .andWhere('s.id > :after', { after })
      .orderBy('s.id')
      .take(count)
      .getMany();
  }

  groupForAnnouncement(manager: EntityManager, offer: PackagePrice): Promise<PriceGroup[]> {
    const day = `date_trunc('day', s.nextChargeAt, 'UTC')`;
    return this.forAnnouncement(manager, offer)
      .select('CAST(s.priceCents AS float8)', 'cents')
      .addSelect('array_agg(DISTINCT s.accountId)', 'accountIds')
      .addSelect('min(s.nextChargeAt)', 'earliestNextChargeAt')
      .addSelect('max(s.nextChargeAt)', 'latestNextChargeAt')
      .addSelect('min(s.startedAt)', 'startedAt')
      .groupBy(`s.priceCents, ${day}, extract(day FROM s.startedAt AT TIME ZONE 'UTC')`)
      .getRawMany();
  }

  async countCustomersForAnnouncement(manager: EntityManager, offer: PackagePrice): Promise<number> {
    const row = await this.forAnnouncement(manager, offer)
      .select('count(DISTINCT s.accountId)::int', 'customers')
      .getRawOne<{ customers: number }>();
    return row!.customers;
  }

  /** Subscriptions to which the price can be announced. The same rule as in `canAnnouncePrice`. */
  private forAnnouncement(manager: EntityManager, { packageName, cents }: PackagePrice) {
    return manager
      .createQueryBuilder(SubscriptionEntity, 's')
      .where({ packageName, priceCents: Not(cents), desiredStatus: 'charging', changeApproved: false })
      .andWhere('s.nextChargeAt IS NOT NULL')
      .andWhere(`NOT coalesce(s.changeBy = 'admin' AND s.changeCents = :cents, false)`, { cents });
  }

  async appendToTimeline(
    tx: EntityManager,
    subscriptionId: string,
    at: Date,
    steps: readonly (SubscriptionStep & { by?: { email: string; accountId: string } | null })[],
  ): Promise<void> {
    for (const { text, movement, by } of steps) {
      await tx.insert(SubscriptionEntryEntity, {
        ...{
          id: uuidv7(),
          subscriptionId,
          at,
          text,
          by: by?.email ?? null,
          byAccount: by?.accountId ?? null,
        },
        ...{ movement: movement?.kind ?? null, cents: movement?.cents ?? null },
      });
    }
  }

  /** The newest `maxEntries` entries, oldest first. */
  async listTimeline(subscriptionId: string): Promise<SubscriptionEntryEntity[]> {
    const newest = await this.dataSource.manager.find(SubscriptionEntryEntity, {
      where: { subscriptionId },
      order: { id: 'DESC' },
      take: maxEntries,
    });
    return newest.reverse();
  }

  /** Returns the subscriptions that named the customer. */
  async anonymizeCustomer(
    tx: EntityManager,
    accountId: string,
    replacement: string,
  ): Promise<AnonymizedSubscription[]> {
    const [rows] = await tx.sql<[AnonymizedSubscription[], number]>`
      UPDATE subscriptions
      SET customer_name = '', customer_email = '', customer_address = '', customer_country = '',
        version = version + 1, updated_at = now()
      WHERE account_id = ${accountId} AND customer_email <> ''
      RETURNING id, first_order_number::float8 AS "firstOrderNumber", package_name AS "packageName"`;
    await tx.sql`
      UPDATE subscription_timeline t SET by = ${replacement} FROM subscriptions s
      WHERE s.id = t.subscription_id AND s.account_id = ${accountId} AND t.by_account = ${accountId}`;
    return rows;
  }

  /**
   * Replaces `by` in all entries that the account made. Call `anonymizeCustomer` afterwards: it replaces `by` again in the timelines of the account's
   * own subscriptions.
   */
  async anonymizeAdmin(tx: EntityManager, accountId: string, replacement: string): Promise<void> {
    await tx.sql`UPDATE subscription_timeline SET by = ${replacement} WHERE by_account = ${accountId}`;
  }
}
