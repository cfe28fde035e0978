import { z } from 'zod';
import { actorSchema, type ErrorData, isErrorCode } from '#libs/contracts';

/**
 * A stream entry has one field, with the whole envelope as JSON, which is cheaper than a field for each property. Readers validate each entry,
 * because any process that may write to the stream can add anything.
 */
export const messageField = 'm';

const requestEnvelopeSchema = z.object({
  /** The request id: the same id means the same command. */
  id: z.string().min(1),
  /** The reply names it. Each call has its own, even if the request id is the same. */
  call: z.string().min(1),
  pattern: z.string().min(1),
  input: z.unknown(),
  actor: actorSchema,
  /** Must be a reply channel. */
  replyTo: z.string().startsWith('reply:'),
  /** How long (ms) the caller waits. By Redis's clock, this time begins when the entry is added to the stream. */
  ttlMs: z.number().positive(),
  traceparent: z.string().optional(),
});
export type RequestEnvelope = z.infer<typeof requestEnvelopeSchema>;

const eventEnvelopeSchema = z.object({
  id: z.string().min(1),
  event: z.string().min(1),
  payload: z.unknown(),
  occurredAt: z.string(),
  traceparent: z.string().optional(),
});
export type EventEnvelope = z.infer<typeof eventEnvelopeSchema>;

export type ReplyEnvelope = { call: string; value: unknown } | { call: string; error: ErrorData };

type Fields = Record<string, string>;

/** Undefined if the entry is malformed. */
export function readRequest(fields: Fields): RequestEnvelope | undefined {
  return read(requestEnvelopeSchema, fields[messageField]);
}

export function readEvent(fields: Fields): EventEnvelope | undefined {
  const envelope = read(eventEnvelopeSchema, fields[messageField]);
  return envelope && !Number.isNaN(Date.parse(envelope.occurredAt)) ? envelope : undefined;
}

/** Checks only the basic form, because only the called service may publish to a reply channel (`keys.replies`). */
export function readReply(message: string): ReplyEnvelope | undefined {
  const reply = parseJson(message) as
    | Partial<{ call: string; value: unknown; error: ErrorData | null }>
    | null
    | undefined;
  if (typeof reply?.call !== 'string') return undefined;
  if (reply.error === undefined) return { call: reply.call, value: reply.value };
  if (reply.error !== null && isErrorCode(reply.error.code)) return { call: reply.call, error: reply.error };
  return undefined;
}

function read<T>(schema: z.ZodType<T>, message: string | undefined): T | undefined {
  const result = schema.safeParse(message === undefined ? undefined : parseJson(message));
  return result.success ? result.data : undefined;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
