import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type PageOf, type PageRequest } from '#libs/contracts';

/** `read` returns undefined for malformed text. */
interface CursorValue<V> {
  write(value: V): string;
  read(text: string): V | undefined;
}

const cursorValues = {
  /** Milliseconds in base 36. */
  moment: {
    write: (value: Date) => value.getTime().toString(36),
    read: (text: string) => (/^[0-9a-z]{1,9}$/.test(text) ? new Date(parseInt(text, 36)) : undefined),
  },
  /** Not negative. */
  integer: {
    write: (value: number) => String(value),
    read: (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  },
  /** YYYY-MM-DD. */
  day: {
    write: (value: string) => value,
    read: (text: string) => (isDay(text) ? text : undefined),
  },
  text: {
    write: (value: string) => Buffer.from(value).toString('base64url'),
    read: (text: string) => {
      const value = Buffer.from(text, 'base64url').toString();
      return value.includes('\0') ? undefined : value;
    },
  },
} satisfies Record<string, CursorValue<Date> | CursorValue<number> | CursorValue<string>>;

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`);
}

/** Sorts by the property `by`, which must not be null in any listed record, and then by the id. The table needs an index on both columns. */
export interface ListOrder<R> {
  by: keyof R & string;
  kind: keyof typeof cursorValues;
  direction: 'asc' | 'desc';
  /** The id of a record that comes before all others. */
  first?: string;
}

/** Requires a `created_at` with a precision of milliseconds. */
export const newestFirst = { by: 'createdAt', kind: 'moment', direction: 'desc' } as const;

/**
 * One page of what `chosen` selects. Without `order.first`, an index finds a cursor's position, however far down the list it is. With a cursor,
 * no record is repeated or skipped because others are added or deleted meanwhile. Throws INVALID_INPUT for a malformed cursor, or one of a list
 * that is sorted by another property.
 */
export async function listPage<R extends ObjectLiteral & { id: string }>(
  chosen: SelectQueryBuilder<R>,
  { page, limit, cursor }: PageRequest,
  order: ListOrder<R>,
): Promise<Omit<PageOf<R>, 'total'>> {
  const { by, first } = order;
  const { alias } = chosen;
  const [direction, beyond] = order.direction === 'desc' ? (['DESC', '<'] as const) : (['ASC', '>'] as const);
  const query = chosen.clone();
  const keys = [`${alias}.${by}`, `${alias}.id`];
  const last = [':lastValue', ':lastId'];
  if (first !== undefined) {
    // False sorts before true, so in ascending order the rank of the first record has to be false.
    const rankOf = (id: string) => `(${id} ${order.direction === 'desc' ? '=' : '<>'} :first)`;
    query.addSelect(rankOf(`${alias}.id`), 'first_rank').setParameter('first', first);
    query.addOrderBy('first_rank', direction);
    keys.unshift(rankOf(`${alias}.id`));
    last.unshift(rankOf('CAST(:lastId AS uuid)'));
  }
  query.addOrderBy(`${alias}.${by}`, direction).addOrderBy(`${alias}.id`, direction);
  if (cursor === undefined) query.offset((page - 1) * limit);
  else query.andWhere(`(${keys.join(', ')}) ${beyond} (${last.join(', ')})`, readCursor(cursor, order));
  // One more, which shows whether there is a next page.
  const found = await query.limit(limit + 1).getMany();
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? cursorOf(items.at(-1)!, order) : null };
}

/** A `LIKE` pattern that finds `text` anywhere. Wildcards in `text` are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const cursorPattern = /^(\w+)\.([\w-]*)\.([\da-f-]{36})$/;

function readCursor<R>(cursor: string, { by, kind }: ListOrder<R>) {
  const [, property, value = '', lastId = ''] = cursorPattern.exec(cursor) ?? [];
  const lastValue = cursorValues[kind].read(value);
  if (property !== by || lastValue === undefined || !isUuid(lastId)) {
    throw DomainError.invalid([{ field: 'cursor', message: 'is not a cursor of this list' }]);
  }
  return { lastValue, lastId };
}

function cursorOf<R extends { id: string }>(record: R, { by, kind }: ListOrder<R>): string {
  const { write } = cursorValues[kind] as CursorValue<unknown>;
  return `${by}.${write(record[by])}.${record.id}`;
}
