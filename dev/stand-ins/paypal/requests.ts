import type { FastifyRequest } from 'fastify';
import { decodeForm } from './encoding.js';

/** Whether the client is a program and not a browser. */
export function wantsJson(request: FastifyRequest): boolean {
  return (
    /^\/(control\/|ledger)/.test(request.url) || request.headers.accept?.includes('application/json') === true
  );
}

/** The fields of a form of the simulator's own pages, which are in UTF-8. */
export function formOf(request: FastifyRequest): Record<string, string> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return Object.fromEntries(decodeForm(body, 'utf-8') ?? []);
}
