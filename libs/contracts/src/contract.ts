import type { z } from 'zod';
import type { Access } from './actor.js';

export const serviceNames = ['content', 'orders', 'projects', 'messaging', 'identity'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<service>.<name>`, e.g. `content.list`; the service is the one that answers. */
  readonly pattern: `${ServiceName}.${string}`;
  /**
   * A query only reads, or notes that something was read, so it may run more than once. A command goes through the inbox, unless repeating it is
   * harmless.
   */
  readonly kind: 'query' | 'command';
  readonly access: Access;
  /** Other services that may call it as themselves. Only the gateway calls on behalf of a person. */
  readonly callableBy?: readonly ServiceName[];
  /** Requires a fresh sign-in (FRESH_SIGN_IN_REQUIRED). */
  readonly fresh?: true;
  readonly input: I;
  readonly output: O;
  /** Fields of the input that must never reach a log or a dead letter. */
  readonly secret: readonly string[];
  /** How long (ms) a caller waits, unless the call has its own `deadlineMs`. Default: the `deadlineMs` of the caller's `RpcClient`. */
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

/** A caller may leave out values that have a default; a handler receives the parsed values, with the defaults. */
export type CallInput<C extends Contract> = z.input<C['input']>;
export type HandlerInput<C extends Contract> = z.output<C['input']>;
export type Output<C extends Contract> = z.output<C['output']>;
export type HandlerInputs<C extends Record<string, Contract>> = { [K in keyof C]: HandlerInput<C[K]> };

/** Published after the commit, at least once and in no particular order. Where the order matters, the payload has the record's version. */
export interface EventContract<P extends z.ZodType = z.ZodType> {
  /** `<owner>.<whatHappened>`. Each owner has a stream of its own. An owner is not always a service: several services publish `mail.requested`. */
  readonly event: string;
  readonly payload: P;
  /**
   * Fields of the payload that must never reach a log or a dead letter. An event that has any is deleted from its stream once its follower
   * has handled it.
   */
  readonly secret: readonly string[];
  /** The only service that may consume the event. Required for events with secrets. */
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
