import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntityTarget, In, type SelectQueryBuilder } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { HandlerInput, Order, orderContract, PageOf } from '#libs/contracts';
import {
  boundedSearch,
  containing,
  type ListOrder,
  listPage,
  ListTotals,
  newestFirst,
  OneStatementInbox,
  type CommandStatement,
} from '#libs/database';
import { Clock } from '#libs/runtime';
import type { RequestContext } from '#libs/transport';
import { OrderTimelineEntryEntity } from '../timeline/order-timeline-entry.entity.js';
import { OrderEntity } from './order.entity.js';

export type OrderSelection = Omit<HandlerInput<typeof orderContract.listOrders>, 'own' | 'customer'> & {
  accountIds?: readonly string[];
};

type AnonymizedOrder = Pick<OrderEntity, 'id' | 'number' | 'packageName' | 'orderDate'>;

type SortKey = NonNullable<OrderSelection['sort']>;
const sortings: Record<SortKey, Omit<ListOrder<OrderEntity>, 'direction'>> = {
  orderDate: { by: 'orderDate', kind: 'day' },
  customerName: { by: 'nameSorted', kind: 'text' },
  packagePrice: { by: 'priceCents', kind: 'integer' },
};

/**
 * If the database has no trigram index, a search reads every order; a million take less than a second. Counting and fetching may each take
 * `timeoutMs`, and both must end before the caller gives up.
 */
const searchBounds = {
  timeoutMs: 4000,
  advice: 'Enter more of the name or e-mail address, or filter by status.',
};

interface Placement {
  order: OrderEntity;
  entry: OrderTimelineEntryEntity;
  /** Without its number, which the database assigns. */
  reply: Order;
  event: CommandStatement<Order>['event'];
}

@Injectable()
export class OrderRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly oneStatementInbox: OneStatementInbox,
    private readonly listTotals: ListTotals,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<OrderEntity | null> {
    return isUuid(id) ? this.dataSource.manager.findOneBy(OrderEntity, { id }) : null;
  }

  async lock(tx: EntityManager, id: string): Promise<OrderEntity | null> {
    if (!isUuid(id)) return null;
    return tx.findOne(OrderEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Changes a locked order, in the database and in the object `order`, and raises its version. */
  async update(
    tx: EntityManager,
    order: OrderEntity,
    change: Partial<Omit<OrderEntity, 'version' | 'updatedAt'>>,
  ): Promise<void> {
    const changed = { ...change, version: order.version + 1, updatedAt: this.clock.now() };
    await tx.update(OrderEntity, order.id, changed);
    Object.assign(order, changed);
  }

  /** Leaves the order's own version as it is, because no answer contains the project's version. */
  async storeProjectVersion(tx: EntityManager, order: OrderEntity, projectVersion: number): Promise<void> {
    await tx.update(OrderEntity, order.id, { projectVersion });
    order.projectVersion = projectVersion;
  }

  /**
   * Uses one statement. Returns the reply (for a repeated request, the first one). Does nothing and returns undefined if the package is not on offer
   * at the order's price.
   */
  place(context: RequestContext, { order, entry, reply, event }: Placement): Promise<Order | undefined> {
    const parameters: unknown[] = [];
    const parameter = (value: unknown, type: string) => `$${parameters.push(value)}::${type}`;
    const condition = `EXISTS (SELECT 1 FROM packages WHERE name = ${parameter(order.packageName, 'text')}
      AND price = ${parameter(order.packagePrice, 'text')} AND NOT deleted)`;
    const number = `(claimed.reply->>'number')::bigint`;
    const effects = `placed AS (${this.insertion(OrderEntity, order, parameter, { number })} FROM claimed),
      entered AS (${this.insertion(OrderTimelineEntryEntity, entry, parameter)} FROM claimed)`;
    const billingEffect = order.billing ? `, ${billingUpsert(order, parameter)}` : '';
    return this.oneStatementInbox.once(context, {
      name: order.billing ? 'place-order-with-billing' : 'place-order',
      condition,
      effects: effects + billingEffect,
      parameters,
      reply,
      assigned: `jsonb_build_object('number', nextval('orders_number'))`,
      event,
    });
  }

  /** Assigns the order's number. Orders that customers place are stored by `place` instead. */
  async insert(tx: EntityManager, order: OrderEntity): Promise<void> {
    const [row] = await tx.sql<{ number: string }[]>`SELECT nextval('orders_number') AS number`;
    order.number = Number(row!.number);
    await tx.insert(OrderEntity, order);
  }

  /** The order that the subscription's next charge pays; null if there is none. */
  lockOldestUnpaid(tx: EntityManager, subscriptionId: string): Promise<OrderEntity | null> {
    return tx.findOne(OrderEntity, {
      where: { subscriptionId, providerState: In(['unpaid', 'failed']) },
      order: { cycle: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** The last cycle with an order, and how many orders have a received or a pending payment: each of these counts as one charge. */
  async getChargeSummary(
    tx: EntityManager,
    subscriptionId: string,
  ): Promise<{ lastCycle: number; received: number; pending: number }> {
    const [row] = await tx.sql<{ lastCycle: number; received: number; pending: number }[]>`
      SELECT coalesce(max(cycle), 0)::int AS "lastCycle",
        (count(*) FILTER (WHERE provider_state NOT IN ('unpaid', 'failed', 'pending')))::int AS received,
        (count(*) FILTER (WHERE provider_state = 'pending'))::int AS pending
      FROM orders WHERE subscription_id = ${subscriptionId}`;
    return row!;
  }

  /** `INSERT … SELECT …` with every column of the entity. `given` has the SQL of the columns that `row` lacks. */
  private insertion<T extends object>(
    entity: EntityTarget<T>,
    row: T,
    parameter: (value: unknown, type: string) => string,
    given: Partial<Record<keyof T, string>> = {},
  ): string {
    const { driver } = this.dataSource;
    const { tableName, columns } = this.dataSource.getMetadata(entity);
    const inserted = columns.filter(({ isInsert }) => isInsert);
    const values = inserted.map((column) => {
      const sql = given[column.propertyName as keyof T];
      if (sql !== undefined) return sql;
      const value: unknown = driver.preparePersistentValue(column.getEntityValue(row), column);
      return parameter(value, `${driver.normalizeType(column)}${column.isArray ? '[]' : ''}`);
    });
    const names = inserted.map(({ databaseName }) => `"${databaseName}"`);
    return `INSERT INTO ${tableName} (${names.join(', ')}) SELECT ${values.join(', ')}`;
  }

  /** Oldest first, after the order with the id `after`. */
  async listPaidIds(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM orders
      WHERE payment_status = 'Paid' AND (${after}::uuid IS NULL OR id > ${after}) ORDER BY id LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** For a long list, the number can be a second old. */
  count(selection: OrderSelection): Promise<number> {
    return this.listTotals.count(select(this.dataSource.manager, selection));
  }

  list(selection: OrderSelection): Promise<Omit<PageOf<OrderEntity>, 'total'>> {
    return listPage(select(this.dataSource.manager, selection), selection, sortingOf(selection));
  }

  /** If `search` is an order's number, that order comes first. Throws UNAVAILABLE for a search that takes too long. */
  search(selection: OrderSelection): Promise<PageOf<OrderEntity>> {
    return boundedSearch(
      this.dataSource,
      selection.search,
      async (manager) => {
        const selected = select(manager, selection);
        const total = await this.listTotals.count(selected);
        const first = await this.findIdByNumberIn(manager, selection.search);
        return { total, ...(await listPage(selected, selection, { ...sortingOf(selection), first })) };
      },
      searchBounds,
    );
  }

  async findNumbers(ids: readonly string[]): Promise<Map<string, number>> {
    const found = await this.dataSource.manager.find(OrderEntity, {
      select: { id: true, number: true },
      where: { id: In(ids) },
    });
    return new Map(found.map(({ id, number }) => [id, number]));
  }

  private async findIdByNumberIn(
    manager: EntityManager,
    search: string | undefined,
  ): Promise<string | undefined> {
    const number = numberIn(search);
    if (number === undefined) return undefined;
    return (await manager.findOne(OrderEntity, { select: { id: true }, where: { number } }))?.id;
  }

  /** Returns the orders that had personal data. */
  async anonymize(tx: EntityManager, accountId: string): Promise<AnonymizedOrder[]> {
    const [rows] = await tx.sql<[AnonymizedOrder[], number]>`
      UPDATE orders
      SET customer_name = '', customer_email = '', customer_address = '', customer_country = '',
        billing = NULL, version = version + 1, updated_at = now()
      WHERE account_id = ${accountId} AND customer_email <> ''
      RETURNING id, number::float8, package_name AS "packageName", order_date::text AS "orderDate"`;
    return rows;
  }
}

function billingUpsert(
  { accountId, billing, createdAt }: OrderEntity,
  parameter: (value: unknown, type: string) => string,
): string {
  return `remembered AS (INSERT INTO billing_details (account_id, details, updated_at)
    SELECT ${parameter(accountId, 'uuid')}, ${parameter(JSON.stringify(billing), 'jsonb')}, ${parameter(createdAt, 'timestamptz')}
    FROM claimed ON CONFLICT (account_id) DO UPDATE
    SET details = excluded.details, updated_at = excluded.updated_at)`;
}

function sortingOf({ sort, direction, from, to }: OrderSelection): ListOrder<OrderEntity> {
  // A range of days is sorted by day, because the index on the day can both select and sort it.
  const defaultSorting = from === undefined && to === undefined ? newestFirst : sortings.orderDate;
  return { ...(sort ? sortings[sort] : defaultSorting), direction };
}

function select(manager: EntityManager, selection: OrderSelection): SelectQueryBuilder<OrderEntity> {
  const { accountIds, paymentStatus, orderStatus, flagged, subscription, from, to, search } = selection;
  const selected = manager.createQueryBuilder(OrderEntity, 'o');
  if (accountIds) selected.andWhere({ accountId: In(accountIds) });
  if (paymentStatus) selected.andWhere({ paymentStatus });
  if (orderStatus) selected.andWhere({ orderStatus });
  if (flagged !== undefined) selected.andWhere(flagged ? `o.flags <> '{}'` : `o.flags = '{}'`);
  if (subscription !== undefined) selected.andWhere({ subscriptionId: subscription });
  if (from !== undefined) selected.andWhere('o.orderDate >= :from', { from });
  if (to !== undefined) selected.andWhere('o.orderDate <= :to', { to });
  if (!search) return selected;
  if (isUuid(search)) return selected.andWhere('o.id = :search', { search });
  const conditions = ['o.searchText LIKE lower(:pattern)'];
  const number = numberIn(search);
  if (number !== undefined) conditions.push('o.number = :number');
  // People may still search for the last eight characters of the id, which lists used to show.
  if (/^[\da-f]{8}$/i.test(search)) conditions.push('right(o.id::text, 8) = lower(:search)');
  return selected.andWhere(`(${conditions.join(' OR ')})`, { pattern: containing(search), number, search });
}

/** The number in `1042` or `#1042`. */
function numberIn(search = ''): number | undefined {
  const digits = /^#?(\d{4,15})$/.exec(search)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
