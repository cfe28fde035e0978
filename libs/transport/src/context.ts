import { createHash } from 'node:crypto';
import { BaseRpcContext } from '@nestjs/microservices';
import type { Actor, Contract } from '#libs/contracts';
import { redact } from './redact.js';

interface RequestFacts {
  requestId: string;
  actor: Actor;
  traceparent?: string;
  deadline: Date;
  deliveries: number;
  contract: Pick<Contract, 'pattern' | 'secret'>;
  input: unknown;
}

/** What a handler knows of its request beside the input: `@Ctx() context: RequestContext`. */
export class RequestContext extends BaseRpcContext<[RequestFacts]> {
  private known?: string;

  constructor(private readonly facts: RequestFacts) {
    super([facts]);
  }

  /** The same id is the same command: the inbox keys on it. */
  get requestId(): string {
    return this.facts.requestId;
  }

  get actor(): Actor {
    return this.facts.actor;
  }

  /** W3C trace context of the caller, if it sent one. */
  get traceparent(): string | undefined {
    return this.facts.traceparent;
  }

  /** Past this moment (local clock) nobody waits for the answer any more. */
  get deadline(): Date {
    return this.facts.deadline;
  }

  /** 1 the first time; more when an earlier replica took the request and did not finish it. */
  get deliveries(): number {
    return this.facts.deliveries;
  }

  /**
   * SHA-256 of pattern and input, whatever the order of keys: tells a repeated command from another one under
   * the same id. Secret fields are left out, so that a stored fingerprint cannot be used to guess a password.
   */
  get fingerprint(): string {
    this.known ??= fingerprintOf(this.facts.contract, this.facts.input);
    return this.known;
  }
}

export interface EventContext {
  /** The outbox row's id: the same event delivered twice has the same id. */
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly traceparent?: string;
  readonly deliveries: number;
}

export function fingerprintOf(contract: Pick<Contract, 'pattern' | 'secret'>, input: unknown): string {
  return createHash('sha256')
    .update(`${contract.pattern}\n${JSON.stringify(sorted(redact(input, contract.secret)))}`)
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const source = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(source)
      .sort()
      .map((key) => [key, sorted(source[key])]),
  );
}
