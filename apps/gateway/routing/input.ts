import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { DomainError, fieldErrors, type Operation } from '#libs/contracts';
import { readIfMatch } from './if-match.js';

/** Query, body, path parameters and the version of `If-Match`, in one object. Throws INVALID_INPUT with the errors of the first invalid part. */
export function inputOf(operation: Operation, { query, body, params, headers }: FastifyRequest): object {
  return {
    ...(operation.query && parsed(operation.query, query)),
    ...(operation.body && parsed(operation.body, jsonObject(body))),
    // After query and body, so that neither can replace the path parameters.
    ...(params as object),
    ...(operation.versioned && { ifVersion: readIfMatch(headers['if-match']) }),
  };
}

/**
 * Refuses a JSON body that the operation does not take, because the client expects it to have an effect. Accepts an empty object, because some
 * clients cannot send less. Throws INVALID_INPUT.
 */
export function refuseStrayBody(operation: Operation, { body, headers }: FastifyRequest): void {
  const takesBody = operation.body ?? operation.rawBody ?? operation.streamedBody;
  if (takesBody || body === undefined || !headers['content-type']?.startsWith('application/json')) return;
  if (isObject(body) && Object.keys(body).length === 0) return;
  throw DomainError.invalid([{ field: '', message: 'This request doesn’t take a body' }]);
}

function parsed(schema: z.ZodType, value: unknown): object {
  const result = schema.safeParse(value);
  if (!result.success) throw DomainError.invalid(fieldErrors(result.error));
  return result.data as object;
}

function jsonObject(body: unknown): object {
  if (!isObject(body)) throw DomainError.invalid([{ field: '', message: 'must be a JSON object' }]);
  return body;
}

function isObject(body: unknown): body is object {
  return body !== null && typeof body === 'object' && !Array.isArray(body);
}
