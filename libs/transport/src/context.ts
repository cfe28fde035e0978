import { createHash } from 'node:crypto';
import { BaseRpcContext } from '@nestjs/microservices';
import type { Actor, Contract } from '#libs/contracts';
import { redact } from './redact.js';

type FingerprintContract = Pick<Contract, 'pattern' | 'secret'>;

/** What a handler knows about its request besides the input: its second argument. */
export class RequestContext extends BaseRpcContext<[]> {
  /** The same id means the same command: the inbox uses it as its key. */
  readonly requestId: string;
  readonly actor: Actor;
  /** W3C trace context to pass on: that of the handler's span, or else the one that the caller sent. */
  readonly traceparent?: string;
  /** After this time, in milliseconds of `performance.now()`, nobody waits for the answer. */
  readonly deadline: number;
  /** 1 at first; more if a replica took the request before and did not finish it. */
  readonly deliveries: number;
  private cachedFingerprint?: string;

  constructor(
    properties: Pick<RequestContext, 'requestId' | 'actor' | 'traceparent' | 'deadline' | 'deliveries'>,
    private readonly contract: FingerprintContract,
    private readonly input: unknown,
  ) {
    super([]);
    this.requestId = properties.requestId;
    this.actor = properties.actor;
    this.traceparent = properties.traceparent;
    this.deadline = properties.deadline;
    this.deliveries = properties.deliveries;
  }

  /** See `fingerprintOf`. Queries never need it. */
  get fingerprint(): string {
    return (this.cachedFingerprint ??= fingerprintOf(this.contract, this.input));
  }
}

/** What the handler of an event knows besides the payload: its second argument. */
export class EventContext extends BaseRpcContext<[]> {
  /** The outbox row's id: the same for each delivery. */
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly traceparent?: string;
  readonly deliveries: number;

  constructor(properties: Pick<EventContext, 'eventId' | 'occurredAt' | 'traceparent' | 'deliveries'>) {
    super([]);
    this.eventId = properties.eventId;
    this.occurredAt = properties.occurredAt;
    this.traceparent = properties.traceparent;
    this.deliveries = properties.deliveries;
  }
}

/**
 * SHA-256 of pattern and input, regardless of the order of keys: distinguishes a repeated command from another one with the same id. The values of
 * secret fields are left out: with them, a stored fingerprint would help to guess a password.
 */
export function fingerprintOf(contract: FingerprintContract, input: unknown): string {
  return createHash('sha256')
    .update(`${contract.pattern}\n${JSON.stringify(withSortedKeys(redact(input, contract.secret)))}`)
    .digest('hex');
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const source = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(source)
      .sort()
      .map((key) => [key, withSortedKeys(source[key])]),
  );
}
