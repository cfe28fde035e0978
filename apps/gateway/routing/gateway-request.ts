import type { FastifyRequest } from 'fastify';
import { type Actor, type Client, visitor } from '#libs/contracts';
import type { CallOptions } from '#libs/transport';
import { clientAddress } from '../limits/client-address.js';

/** A request, with what the policy guard and the tracing have added to it. */
export interface GatewayRequest extends FastifyRequest {
  actor?: Actor;
  /** Set for a call with an `Idempotency-Key`: names the command, so that a repeated one takes effect once. */
  commandId?: string;
  /** The W3C trace context of the request's span, if requests are traced. */
  traceparent?: string;
}

/** The options for `RpcClient.call`: on whose behalf, and as which command, a handler calls a service. */
export function callerOf(request: GatewayRequest): CallOptions {
  return {
    actor: request.actor ?? visitor,
    traceparent: request.traceparent ?? traceparentOf(request.id),
    ...(request.commandId === undefined ? {} : { requestId: request.commandId }),
  };
}

/** Where a request comes from. */
export function clientOf(request: FastifyRequest): Client {
  return { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '' };
}

/**
 * The trace context of a request without a span. Its trace id is the request's id without dashes, so a problem's `requestId` also leads to the
 * services' log lines.
 */
function traceparentOf(requestId: string): string {
  const traceId = requestId.replaceAll('-', '');
  return `00-${traceId}-${traceId.slice(16)}-01`;
}
