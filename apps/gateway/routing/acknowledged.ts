import { z } from 'zod';
import type { ContentRecord } from '#libs/contracts';

/** Done, with nothing to show for it. */
export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const acknowledgedAnswer = { acknowledged: true } as const;

/** The stored record, and the words by which a document database acknowledges: documented clients look for them. */
export function acknowledgedCreate(record: z.ZodObject) {
  return record.extend({ acknowledged: z.literal(true), insertedId: z.string() });
}

export function acknowledgedUpdate(record: z.ZodObject) {
  return record.extend({
    acknowledged: z.literal(true),
    matchedCount: z.literal(1),
    modifiedCount: z.union([z.literal(0), z.literal(1)]),
  });
}

export const acknowledgedDelete = z
  .object({ acknowledged: z.literal(true), deletedCount: z.literal(1), _id: z.string() })
  .meta({ id: 'Deleted' });

export function createdAnswer<R extends { _id: string }>(record: R) {
  return { ...record, acknowledged: true as const, insertedId: record._id };
}

export function updatedAnswer<R>({ record, modified }: { record: R; modified: boolean }) {
  return {
    ...record,
    acknowledged: true as const,
    matchedCount: 1 as const,
    modifiedCount: modified ? 1 : 0,
  };
}

export function deletedAnswer({ _id }: Pick<ContentRecord, '_id'>) {
  return { acknowledged: true as const, deletedCount: 1 as const, _id };
}
