import type { SelectQueryBuilder } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type PageOf, type PageRequest } from '#libs/contracts';
import type { ListTotals } from './list-totals.js';

interface Listed {
  id: string;
  createdAt: Date;
}

/** A moment in milliseconds, base 36, and a record's id: where a page ended. */
const cursorPattern = /^([0-9a-z]{1,9})\.([\da-f-]{36})$/;

/**
 * One page of what `chosen` selects, newest first. The table's index on (created_at, id) finds where a cursor points at once, however deep; records
 * that come or go meanwhile make no other repeat or be left out. INVALID_INPUT for a cursor that is none.
 */
export async function newestFirst<R extends Listed>(
  chosen: SelectQueryBuilder<R>,
  { page, limit, cursor }: PageRequest,
  totals: ListTotals,
): Promise<PageOf<R>> {
  const total = await totals.of(chosen);
  const name = chosen.alias;
  const part = chosen.clone().orderBy(`${name}.createdAt`, 'DESC').addOrderBy(`${name}.id`, 'DESC');
  if (cursor === undefined) part.offset((page - 1) * limit);
  else part.andWhere(`(${name}.createdAt, ${name}.id) < (:endedAt, :endedWith)`, readCursor(cursor));
  // One more than asked for tells whether there is a next page.
  const found = await part.limit(limit + 1).getMany();
  const items = found.slice(0, limit);
  return { items, total, nextCursor: found.length > limit ? cursorOf(items.at(-1)!) : null };
}

/** Narrows to records that contain the text in one of these fields, without letter case. It reads them all. */
export function containing<R extends Listed>(
  chosen: SelectQueryBuilder<R>,
  text: string | undefined,
  fields: readonly (keyof R & string)[],
): SelectQueryBuilder<R> {
  if (!text) return chosen;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const condition = fields.map((field) => `${chosen.alias}.${field} ILIKE :pattern`).join(' OR ');
  return chosen.andWhere(`(${condition})`, { pattern });
}

function readCursor(cursor: string): { endedAt: Date; endedWith: string } {
  const [, moment = '', endedWith = ''] = cursorPattern.exec(cursor) ?? [];
  if (!isUuid(endedWith)) {
    throw DomainError.invalid([{ field: 'cursor', message: 'is not a cursor of this list' }]);
  }
  return { endedAt: new Date(parseInt(moment, 36)), endedWith };
}

function cursorOf({ id, createdAt }: Listed): string {
  return `${createdAt.getTime().toString(36)}.${id}`;
}
