import type { PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError, fieldErrors } from '#libs/contracts';
import type { Endpoint } from './endpoint.js';

/** Parses a body by its endpoint's schema: INVALID_INPUT with one entry per bad field. */
export class ParsedBody implements PipeTransform {
  constructor(private readonly endpoint: Endpoint) {}

  transform(body: unknown): unknown {
    if (!isObject(body)) throw DomainError.invalid([{ field: '', message: 'must be a JSON object' }]);
    const result = this.endpoint.body!.safeParse(body);
    if (!result.success) throw DomainError.invalid(fieldErrors(result.error));
    return result.data;
  }
}

/**
 * A call that takes no JSON refuses it: whoever sends something expects it to matter. An empty object says nothing, and some clients
 * cannot send less. INVALID_INPUT.
 */
export function refuseStrayBody(endpoint: Endpoint, { body, headers }: FastifyRequest): void {
  if (
    endpoint.body ||
    endpoint.rawBody ||
    endpoint.streamedBody ||
    body === undefined ||
    !headers['content-type']?.startsWith('application/json')
  )
    return;
  if (isObject(body) && Object.keys(body).length === 0) return;
  throw DomainError.invalid([{ field: '', message: 'This call takes no body' }]);
}

function isObject(body: unknown): body is object {
  return body !== null && typeof body === 'object' && !Array.isArray(body);
}
