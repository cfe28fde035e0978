import { z } from 'zod';
import { errorSentences, type ErrorCode } from './errors.js';

const bulkLimit = 100;

const isId = (id: string) => z.uuid().safeParse(id).success;

/** Duplicates are dropped. */
export const chosenIds = z
  .array(z.string(), {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of ids'),
  })
  .min(1, 'must name a record')
  .max(bulkLimit, `must name at most ${bulkLimit} records`)
  .refine((ids) => ids.every(isId), 'must be ids of records')
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

const bulkFailure = z.object({
  _id: z.string(),
  code: z.enum(Object.keys(errorSentences) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
});
export type BulkFailure = z.infer<typeof bulkFailure>;

/** Each of the chosen ids is in one of the lists. */
export const bulkOutcome = z.object({
  /** Records that are now in the requested state, including those that already were. */
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

/** Ids that were not found fail with NOT_FOUND. */
export function bulkOutcomeOf(ids: readonly string[], found: readonly { id: string }[]): BulkOutcome {
  const known = new Set(found.map(({ id }) => id));
  return {
    done: ids.filter((id) => known.has(id)),
    failed: ids.filter((id) => !known.has(id)).map((id) => bulkFailureOf(id, 'NOT_FOUND')),
  };
}
