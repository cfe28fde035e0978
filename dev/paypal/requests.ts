import type { FastifyRequest } from 'fastify';
import { decodeForm } from './encoding.js';
import { Refusal } from './refusal.js';

/** Whether a program asks, and no browser. */
export function tellsJson(request: FastifyRequest): boolean {
  return (
    /^\/(control\/|ledger)/.test(request.url) || request.headers.accept?.includes('application/json') === true
  );
}

/** The fields of a form of the simulator's own pages, which are in UTF-8. */
export function formOf(request: FastifyRequest): Record<string, string> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return Object.fromEntries(decodeForm(body, 'utf-8') ?? []);
}

/** The simulator's own forms are submitted from its own pages; other sites cannot press their buttons. */
export function refuseForeign(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Refusal(403, 'This form belongs to another page.');
  }
}
