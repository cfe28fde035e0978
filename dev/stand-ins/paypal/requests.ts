import type { FastifyRequest } from 'fastify';
import { decodeForm } from './encoding.js';

export function wantsJson(request: FastifyRequest): boolean {
  return (
    /^\/(control\/|ledger)/.test(request.url) || request.headers.accept?.includes('application/json') === true
  );
}

/** The form must be in UTF-8, like those of the simulator's own pages and the requests for access tokens. */
export function formOf(request: FastifyRequest): Record<string, string> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return Object.fromEntries(decodeForm(body, 'utf-8') ?? []);
}
