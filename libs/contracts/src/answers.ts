import { z } from 'zod';

export type Status = 200 | 201 | 202 | 204 | 303;

export type AnswerForm = 'output' | 'list' | 'created' | 'updated' | 'deleted' | 'acknowledged';

/** How the gateway turns the `output` of a service into the `answer` to an HTTP request. */
export interface AnswerMapping<O extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly output: O;
  readonly answer: R;
  readonly form: AnswerForm;
  readonly status: Status;
}
export type OutputOf<T> = T extends z.ZodType ? T : T extends AnswerMapping<infer O> ? O : never;
export type AnswerOf<T> = T extends z.ZodType ? T : T extends AnswerMapping<z.ZodType, infer R> ? R : never;

export const recordMeta = {
  createdAt: z.string(),
  updatedAt: z.string(),
  /** 1 at creation, one more at each change. */
  version: z.int(),
};

export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const acknowledgedAnswer = { acknowledged: true } as const;

/** Answers to writes have the fields of MongoDB's write results, because these are part of the documented API. */
export function createdAnswerSchema<S extends z.ZodRawShape>(record: z.ZodObject<S>) {
  return record.extend({ acknowledged: z.literal(true), insertedId: z.string() });
}

export function updatedAnswerSchema<S extends z.ZodRawShape>(record: z.ZodObject<S>) {
  return record.extend({
    acknowledged: z.literal(true),
    matchedCount: z.literal(1),
    modifiedCount: z.union([z.literal(0), z.literal(1)]),
  });
}

export const deletedAnswerSchema = z
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

export function created<S extends z.ZodRawShape & { _id: z.ZodType<string> }>(record: z.ZodObject<S>) {
  const answer = createdAnswerSchema<S>(record);
  return { output: record, answer, form: 'created', status: 201 } satisfies AnswerMapping;
}

export function updated<S extends z.ZodRawShape>(record: z.ZodObject<S>) {
  const output = z.object({ record, modified: z.boolean() });
  return {
    output,
    answer: updatedAnswerSchema<S>(record),
    form: 'updated',
    status: 200,
  } satisfies AnswerMapping;
}

export const deleted = {
  output: z.object({ _id: z.string() }),
  answer: deletedAnswerSchema,
  form: 'deleted',
  status: 200,
} satisfies AnswerMapping;

/** The answer leaves out the service's output. */
export function done<S extends z.ZodRawShape>(output: z.ZodObject<S>) {
  return { output, answer: acknowledged, form: 'acknowledged', status: 200 } satisfies AnswerMapping;
}

export function doneWith<S extends z.ZodRawShape>(output: z.ZodObject<S>) {
  return {
    output,
    answer: acknowledged.extend(output.shape),
    form: 'acknowledged',
    status: 200,
  } satisfies AnswerMapping;
}
