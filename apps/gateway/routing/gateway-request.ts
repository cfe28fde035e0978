import type { FastifyRequest } from 'fastify';
import { type Actor, type Client, visitor } from '#libs/contracts';
import type { CallOptions } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';

export interface GatewayRequest extends FastifyRequest {
  actor?: Actor;
  /** Set if the operation's policy is `idempotent` and the call has an `Idempotency-Key` (see `commandIdOf`). */
  commandId?: string;
  /** Set if requests are traced (W3C Trace Context). */
  traceparent?: string;
}

/** For calls to services: the actor, the trace and, with an `Idempotency-Key`, the id of the command. */
export function callerOf(request: GatewayRequest): CallOptions {
  return {
    actor: request.actor ?? visitor,
    traceparent: request.traceparent ?? traceparentOf(request.id),
    ...(request.commandId === undefined ? {} : { requestId: request.commandId }),
  };
}

export function clientOf(request: FastifyRequest): Client {
  return { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
}

/**
 * For a request without a span. The trace id is `request.id` without dashes, so the id in an error answer leads to the services' log lines.
 */
function traceparentOf(httpRequestId: string): string {
  const traceId = httpRequestId.replaceAll('-', '');
  return `00-${traceId}-${traceId.slice(16)}-01`;
}
