import type { FastifyRequest } from 'fastify';
import type { Client } from '#libs/contracts';
import { clientAddress } from '../limits/client-address.js';

/** Where a request comes from. */
export function clientOf(request: FastifyRequest): Client {
  return { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
}
