import { z } from 'zod';
import type { Contract, Output } from '#libs/contracts';
import type { RelayTarget } from './operation.js';

/** The answer of a call that has nothing else to report. */
export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const acknowledgedAnswer = { acknowledged: true } as const;

/** The stored record, with the fields by which a document database acknowledges a write: documented clients read them. */
export function acknowledgedCreate<S extends z.ZodRawShape>(record: z.ZodObject<S>) {
  return record.extend({ acknowledged: z.literal(true), insertedId: z.string() });
}

export function acknowledgedUpdate<S extends z.ZodRawShape>(record: z.ZodObject<S>) {
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
  const modifiedCount: 0 | 1 = modified ? 1 : 0;
  return { ...record, acknowledged: true as const, matchedCount: 1 as const, modifiedCount };
}

export function deletedAnswer({ _id }: { _id: string }) {
  return { acknowledged: true as const, deletedCount: 1 as const, _id };
}

type Creates<S extends z.ZodRawShape> = Contract<z.ZodType, z.ZodObject<S>>;
type Updates<S extends z.ZodRawShape> = Contract<
  z.ZodType,
  z.ZodObject<{ record: z.ZodObject<S>; modified: z.ZodBoolean }>
>;

/** Answers 201 with the record that the service created. */
export function created<S extends z.ZodRawShape & { _id: z.ZodType<string> }, C extends Creates<S>>(
  contract: C & Creates<S>,
) {
  const answer = acknowledgedCreate<S>(contract.output);
  return { contract, form: 'created', status: 201, answer } satisfies RelayTarget<C, typeof answer>;
}

/** Answers the record as the service left it, and whether it changed. */
export function updated<S extends z.ZodRawShape, C extends Updates<S>>(contract: C & Updates<S>) {
  const answer = acknowledgedUpdate<S>(contract.output.shape.record);
  return { contract, form: 'updated', status: 200, answer } satisfies RelayTarget<C, typeof answer>;
}

/** Answers the id of the record that the service deleted. */
export function deleted<C extends Contract<z.ZodType, z.ZodType<{ _id: string }>>>(
  contract: C,
): RelayTarget<C, typeof acknowledgedDelete> {
  return { contract, form: 'deleted', status: 200, answer: acknowledgedDelete };
}

/** Answers only that it was done, with the fields of the service's output that `shown` names. */
export function done<C extends Contract, S extends z.ZodRawShape = Record<never, z.ZodType>>(
  contract: C,
  shown?: z.ZodObject<S> & z.ZodType<Partial<Output<C>>>,
) {
  const answer = acknowledged.extend((shown?.shape ?? {}) as S);
  return { contract, form: 'acknowledged' as const, status: 200 as const, answer };
}
