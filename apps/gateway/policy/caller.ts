import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Actor, DomainError, visitor } from '#libs/contracts';
import type { Operation } from '#libs/operations';
import { clientNetwork } from '#libs/platform';
import type { CallOptions } from '#libs/transport';

/** What the policy guard has established about a request. */
export interface GatewayRequest extends FastifyRequest {
  actor?: Actor;
  /** Set for a call with an `Idempotency-Key`: names the command, so that a repeated one takes effect once. */
  commandId?: string;
  /** W3C trace context of its span, where requests are traced. */
  traceparent?: string;
}

/** On whose behalf, and as which command, a handler calls a service: pass it to `RpcClient.call`. */
export function callerOf(request: GatewayRequest): CallOptions {
  return {
    actor: request.actor ?? visitor,
    traceparent: request.traceparent ?? traceparentOf(request.id),
    ...(request.commandId === undefined ? {} : { requestId: request.commandId }),
  };
}

/** W3C trace context whose trace id is the request's id: a problem's `requestId` finds its traces in every process. */
function traceparentOf(requestId: string): string {
  const traceId = requestId.replaceAll('-', '');
  return `00-${traceId}-${traceId.slice(16)}-01`;
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The command that this key names for this person and this call: a UUID (version 8, RFC 9562) of their SHA-256. The service's
 * inbox does the rest. INVALID_INPUT for a key that is none.
 */
export function commandIdOf(
  key: string | string[],
  { method, path }: Operation,
  actor: Actor,
  address: string,
): string {
  if (typeof key !== 'string' || !visibleAscii.test(key)) {
    throw DomainError.invalid([
      { field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  }
  const person = 'accountId' in actor ? `account ${actor.accountId}` : `address ${clientNetwork(address)}`;
  const hash = createHash('sha256')
    .update(JSON.stringify([person, method, path, key]))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
