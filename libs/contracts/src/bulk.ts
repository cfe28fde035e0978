import { z } from 'zod';
import { errorSentences, type ErrorCode } from './errors.js';

/** The maximum number of records in one call. */
const bulkLimit = 100;

const isId = (id: string) => z.uuid().safeParse(id).success;

/** The ids of records that were selected in a list, without duplicates. */
export const chosenIds = z
  .array(z.string(), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of ids'),
  })
  .min(1, 'must name a record')
  .max(bulkLimit, `must name at most ${bulkLimit} records`)
  .refine((ids) => ids.every(isId), 'must be ids of records')
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

/** A record that was not changed, and why. */
const bulkFailure = z.object({
  _id: z.string(),
  code: z.enum(Object.keys(errorSentences) as [ErrorCode, ...ErrorCode[]]),
  /** For a person. */
  message: z.string(),
});
export type BulkFailure = z.infer<typeof bulkFailure>;

/** What a call did with each of its records: each is in one of the two lists. */
export const bulkOutcome = z.object({
  /** Now in the requested state, whether or not they were before. */
  done: z.array(z.string()),
  failed: z.array(bulkFailure),
});
export type BulkOutcome = z.infer<typeof bulkOutcome>;

export function bulkFailureOf(
  _id: string,
  code: ErrorCode,
  message: string = errorSentences[code],
): BulkFailure {
  return { _id, code, message };
}

/** Records that were found are done, the others are NOT_FOUND. */
export function bulkOutcomeOf(ids: readonly string[], found: readonly { id: string }[]): BulkOutcome {
  const known = new Set(found.map(({ id }) => id));
  return {
    done: ids.filter((id) => known.has(id)),
    failed: ids.filter((id) => !known.has(id)).map((id) => bulkFailureOf(id, 'NOT_FOUND')),
  };
}
