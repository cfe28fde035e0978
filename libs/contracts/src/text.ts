import { z } from 'zod';

/** Text that can be stored and shown: no NUL (Postgres cannot hold it), no lone surrogates (JSON cannot carry them). */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/**
 * One line of printable text: nothing that ends a line or steers a terminal. What holds such text can neither split the header
 * of a mail nor forge a line of a log. A tab is white space.
 */
export function isSingleLine(value: string): boolean {
  return !/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/.test(value);
}

/** Text that a person has to fill in; `maximum` in UTF-16 code units, as HTML's `maxlength` counts. */
export function writtenText(maximum: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be text') })
    .refine((value) => value.trim() !== '', 'is required')
    .max(maximum, `must have at most ${maximum.toLocaleString('en-US')} characters`)
    .refine(isStorable, 'contains characters that cannot be stored');
}

/** The same on one line: it may end up in the header of a mail. */
export const writtenLine = (maximum: number) =>
  writtenText(maximum).refine(isSingleLine, 'must be one line of text');
