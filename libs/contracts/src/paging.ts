import { z } from 'zod';
import { isStorable } from './text.js';

/** The maximum and the default number of records on a page. */
export const pageLimit = 1000;

/** A cursor may contain the first 60 characters of a name, in base64 and at up to four bytes a character. */
export const cursorLimit = 400;

/** `page` counts from 1; high page numbers are slow. `cursor` is equally fast at any depth, and takes precedence. */
export const pageRequest = z.object({
  page: z.int().min(1).max(1_000_000).default(1),
  limit: z.int().min(1).max(pageLimit).default(pageLimit),
  /** `nextCursor` of the previous page. */
  cursor: z.string().max(cursorLimit).optional(),
});
export type PageRequest = z.output<typeof pageRequest>;

/** The search ignores letter case. Blank text matches everything. */
export const searchText = z
  .string()
  .trim()
  .max(254, 'must have at most 254 characters')
  .refine(isStorable, 'contains characters that cannot be stored');

export const sortDirection = z.enum(['asc', 'desc']);

export function pageOf<R extends z.ZodType>(record: R) {
  return z.object({
    /** In most lists, newest first unless the request sorts them. */
    items: z.array(record),
    /** The number of records on all pages; for a long list, up to a second old. */
    total: z.int(),
    /** Null on the last page. */
    nextCursor: z.string().nullable(),
  });
}

export interface PageOf<R> {
  items: R[];
  total: number;
  nextCursor: string | null;
}
