import type { z } from 'zod';
import type { Access } from './actor.js';

/** The services that answer requests over the transport. */
export const serviceNames = ['content', 'orders', 'projects', 'messaging', 'identity'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * One request between processes: its address, input, output, and who may make it. The service's handler, the gateway's typed client and the
 * tests all derive their types from it.
 */
export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<service>.<name>`, e.g. `content.list`. The part before the dot names the service that answers. */
  readonly pattern: `${ServiceName}.${string}`;
  /**
   * A query only reads, or notes that something was read, so it may run more than once. A command takes effect once: it goes through the inbox,
   * unless repeating it does no harm.
   */
  readonly kind: 'query' | 'command';
  /** Who may call it; `customer` includes admins. */
  readonly access: Access;
  /** Other services that may call it as themselves. Only the gateway calls on behalf of a person. */
  readonly callableBy?: readonly ServiceName[];
  /** Requires a fresh sign-in; otherwise refused with FRESH_SIGN_IN_REQUIRED. */
  readonly fresh?: true;
  readonly input: I;
  readonly output: O;
  /** Fields of the input that must never reach a log or a dead letter (passwords, tokens). */
  readonly secret: readonly string[];
  /** How long the caller waits, in milliseconds. The transport's default is 10 000. */
  readonly deadlineMs?: number;
}

type ContractOptions<I extends z.ZodType, O extends z.ZodType> = Omit<Contract<I, O>, 'kind' | 'secret'> & {
  secret?: readonly string[];
};

export function query<I extends z.ZodType, O extends z.ZodType>(
  options: ContractOptions<I, O>,
): Contract<I, O> {
  return { secret: [], ...options, kind: 'query' };
}

export function command<I extends z.ZodType, O extends z.ZodType>(
  options: ContractOptions<I, O>,
): Contract<I, O> {
  return { secret: [], ...options, kind: 'command' };
}

/** What a caller passes (before defaults are applied) and what a handler receives (after parsing). */
export type CallInput<C extends Contract> = z.input<C['input']>;
export type HandlerInput<C extends Contract> = z.output<C['input']>;
export type Output<C extends Contract> = z.output<C['output']>;
/** The inputs of several contracts by their names: `HandlerInputs<typeof accountContract>['changeEmail']`. */
export type HandlerInputs<C extends Record<string, Contract>> = { [K in keyof C]: HandlerInput<C[K]> };

/**
 * Something that happened, published after its transaction was committed, at least once and in no particular order. Payloads therefore contain
 * the record's version where the order matters.
 */
export interface EventContract<P extends z.ZodType = z.ZodType> {
  /**
   * `<owner>.<whatHappened>`, e.g. `content.changed`. The owner is a group of events with a stream of its own. It need not be a service: more than
   * one service publishes `mail.requested`.
   */
  readonly event: string;
  readonly payload: P;
  /**
   * Fields of the payload that must never reach a log or a dead letter (such as links with a token). An event with such fields is deleted from
   * its stream once the only service that may consume it has handled it.
   */
  readonly secret: readonly string[];
  /** The only service that may consume the event; if absent, any service may. Required for events with secrets. */
  readonly follower?: ServiceName;
}

export function event<P extends z.ZodType>(
  name: string,
  payload: P,
  secrets: { secret: readonly string[]; follower: ServiceName } | { secret?: undefined } = {},
): EventContract<P> {
  return { event: name, payload, ...secrets, secret: secrets.secret ?? [] };
}

export type EventPayload<E extends EventContract> = z.output<E['payload']>;

export function serviceOf(contract: Pick<Contract, 'pattern'>): ServiceName {
  return contract.pattern.slice(0, contract.pattern.indexOf('.')) as ServiceName;
}
