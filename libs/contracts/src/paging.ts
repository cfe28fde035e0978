import { z } from 'zod';
import { isStorable } from './text.js';

/** The most records of one page, and what a list gives when nobody asks for a number. */
export const pageLimit = 1000;

/** A cursor may hold the beginning of a name, in characters of four bytes each. */
export const cursorLimit = 400;

/**
 * Which part of a list that is answered newest first. `page` counts from 1 and gets slower the further it goes; `cursor` continues where a
 * page ended, equally fast at any depth. Of both, `cursor` wins.
 */
export const pageRequest = z.object({
  page: z.int().min(1).max(1_000_000).default(1),
  limit: z.int().min(1).max(pageLimit).default(pageLimit),
  /** `nextCursor` of the page before. INVALID_INPUT when it is none. */
  cursor: z.string().max(cursorLimit).optional(),
});
export type PageRequest = z.output<typeof pageRequest>;

/** Text that a record must contain, without letter case. Nothing is searched for when it is blank. */
export const searchText = z
  .string()
  .trim()
  .max(254, 'must have at most 254 characters')
  .refine(isStorable, 'contains characters that cannot be stored');

export const sortDirection = z.enum(['asc', 'desc']);

export function pageOf<R extends z.ZodType>(record: R) {
  return z.object({
    /** Newest first. */
    items: z.array(record),
    /** How many records there are on all pages. */
    total: z.int(),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  });
}

/** What `pageOf` describes. */
export interface PageOf<R> {
  items: R[];
  total: number;
  nextCursor: string | null;
}
