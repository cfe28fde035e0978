import { z } from 'zod';
import type { CallInput, Contract, ErrorCode, Output } from '#libs/contracts';
import type { Policy } from './policy.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Status = 200 | 201 | 202 | 303;

/** How a service's output becomes the answer: see `created`, `updated` and the like. */
export type AnswerForm = 'output' | 'list' | 'created' | 'updated' | 'deleted' | 'acknowledged';

/** What the gateway does with a call that it passes on to a service as it is. */
interface Relay {
  readonly contract: Contract;
  readonly form: AnswerForm;
}

/**
 * One call of the REST API, as data: its address, who may make it, what it takes and what it answers. The gateway's handlers, the policy
 * guard, the API reference, the web's client and the tests all derive from it.
 */
export interface Operation {
  readonly method: Method;
  /** Matches with and without a trailing slash and in any letter case. */
  readonly path: `/${string}`;
  readonly policy: Policy;
  /** Unique; names the call in generated clients. */
  readonly operationId: string;
  readonly summary: string;
  /** The heading under which the API reference lists it. */
  readonly group: string;
  readonly body?: z.ZodType;
  /** Takes the body as bytes, of any content type. */
  readonly rawBody?: { readonly maxBytes: number };
  /** Takes the body as a stream, of any content type; the handler bounds it. */
  readonly streamedBody?: true;
  /** The query string. Its schema reads text and gives what the handler receives. */
  readonly query?: z.ZodObject;
  /** Status of success. */
  readonly status: Status;
  /** The answer on success. Answers are written through this schema, so they always match the API reference. */
  readonly answer: z.ZodType;
  /** Expected failures beyond those that follow from the policy, the inputs and the transport. */
  readonly failures: readonly ErrorCode[];
  /** Fields of the answer that hold the address of a picture: absolute for pages on other origins. */
  readonly pictures?: ReadonlySet<string>;
  /** The answer carries a strong `ETag` and honours `If-None-Match`. */
  readonly revalidates?: true;
  /** The answer carries `X-Total-Count`, and `Link` to its next page. */
  readonly paged?: true;
  /** Takes `If-Match: "<version>"`. */
  readonly versioned?: true;
  /** `application/json` unless given. */
  readonly mediaType?: string;
  /** What the gateway must read again before it answers, because this call may have changed it. */
  readonly invalidates?: 'sessions' | 'siteContent';
  /** The handler writes the reply itself: a download, a page, or bytes that are kept ready. */
  readonly writesReply?: true;
  /** Set when a service answers the call; a controller handles the others. */
  readonly relay?: Relay;
}

/** The path parameters of an address: `'id'` for `GET /order/:id/timeline`. */
type ParamName<A extends string> = A extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamName<More>
    : Rest
  : never;
type Params<A extends string> = { [N in ParamName<A>]: string };

type Schema = z.ZodType | undefined;
type QuerySchema = z.ZodObject | undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;
type Simplify<T> = { [K in keyof T]: T[K] };

/** What a handler receives: query, body, path parameters and the version of `If-Match`, in one object. */
type Received<A extends string, B, Q, V> = Simplify<
  Parsed<Q> & Parsed<B> & Params<A> & (V extends true ? { ifVersion?: number } : unknown)
>;

/** Query parameters as values: the client writes them as text. */
type QueryValues<Q> = Q extends z.ZodObject
  ? { [K in keyof z.input<Q>]: K extends keyof z.output<Q> ? z.output<Q>[K] : never }
  : never;
type OptionalIfEmpty<K extends string, T> = Partial<T> extends T ? { [P in K]?: T } : { [P in K]: T };
/** An object schema without fields infers as a record: such a query is not sent. */
type SentQuery<Q extends z.ZodObject> = string extends keyof z.output<Q>
  ? unknown
  : OptionalIfEmpty<'query', QueryValues<Q>>;

/** What a client sends. */
type Sent<A extends string, B, Q, V> = ([ParamName<A>] extends [never] ? unknown : { params: Params<A> }) &
  (Q extends z.ZodObject ? SentQuery<Q> : unknown) &
  (B extends z.ZodType ? { body: z.input<B> } : unknown) &
  (V extends true ? { ifVersion?: number } : unknown);

/** An operation that knows the types of what it takes and answers. They exist at compile time only. */
export interface TypedOperation<A extends string, Input, Request, Answer, Reply = Answer> extends Operation {
  readonly at: A;
  readonly types?: {
    readonly input: Input;
    readonly request: Request;
    readonly answer: Answer;
    readonly reply: Reply;
  };
}
/** One that the gateway passes on to a service, without a handler. */
export interface RelayedOperation<A extends string, Input, Request, Answer> extends TypedOperation<
  A,
  Input,
  Request,
  Answer
> {
  readonly relay: Relay;
}

type Types<O> = O extends { readonly types?: infer T } ? NonNullable<T> : never;
/** What the handler of an operation receives. */
export type OperationInput<O> = Types<O> extends { readonly input: infer T } ? T : never;
/** What a client sends to an operation. */
export type OperationRequest<O> = Types<O> extends { readonly request: infer T } ? T : never;
/** What an operation answers. */
export type OperationAnswer<O> = Types<O> extends { readonly answer: infer T } ? T : never;
/** What the handler of an operation returns: its answer, or nothing where it writes the reply itself. */
export type OperationReply<O> = Types<O> extends { readonly reply: infer T } ? T : unknown;

interface Declaration<A, B, Q, V> {
  /** Method and path, like `PUT /order/:id`. */
  readonly at: A;
  /** The OpenAPI operationId. */
  readonly id: string;
  readonly summary: string;
  readonly policy: Policy;
  readonly body?: B;
  readonly query?: Q;
  readonly versioned?: V;
  readonly failures?: readonly ErrorCode[];
  readonly invalidates?: Operation['invalidates'];
  readonly pictures?: Operation['pictures'];
}

interface HandledDeclaration<A, B, Q, V, R, W = true | undefined>
  extends Declaration<A, B, Q, V>, Pick<Operation, 'rawBody' | 'streamedBody' | 'revalidates' | 'mediaType'> {
  readonly answer: R;
  readonly writesReply?: W;
  /** 200 unless given. */
  readonly status?: Status;
}

/** A schema of nothing is the answer of a handler that returns nothing. */
type Reply<R extends z.ZodType, W> = W extends true ? void : R extends z.ZodUndefined ? void : z.input<R>;

/** Declares a call that a controller of the gateway handles. */
export function operation<
  const A extends `${Method} /${string}`,
  R extends z.ZodType,
  B extends Schema = undefined,
  Q extends QuerySchema = undefined,
  V extends true | undefined = undefined,
  W extends true | undefined = undefined,
>(
  declaration: HandledDeclaration<A, B, Q, V, R, W>,
): TypedOperation<A, Received<A, B, Q, V>, Sent<A, B, Q, V>, z.output<R>, Reply<R, W>> {
  return { status: 200, ...declared(declaration), ...extrasOf(declaration) };
}

/** A service's call as the target of a relay, and the answer that its output becomes. */
export interface RelayTarget<C extends Contract, R extends z.ZodType> {
  readonly contract: C;
  readonly form: AnswerForm;
  readonly status: Status;
  readonly answer: R;
}

/**
 * Declares a call that the gateway passes on to a service as it is: query, body, path parameters and `ifVersion` together are the
 * service's input.
 */
export function relay<
  const A extends `${Method} /${string}`,
  C extends Contract,
  R extends z.ZodType,
  B extends Schema = undefined,
  Q extends QuerySchema = undefined,
  V extends true | undefined = undefined,
>(
  declaration: Declaration<A, B, Q, V> & { readonly to: RelayTarget<C, R>; readonly status?: Status } & Fits<
      Received<A, B, Q, V>,
      CallInput<C>
    >,
): RelayedOperation<A, Received<A, B, Q, V>, Sent<A, B, Q, V>, z.output<R>> {
  const { contract, form, status, answer } = declaration.to;
  return {
    ...declared(declaration),
    status: declaration.status ?? status,
    answer,
    relay: { contract, form },
    ...(form === 'list' && { paged: true as const }),
  };
}

/** Does not compile where the service would refuse the input, or ignore a part of it. */
type Fits<Given, Taken> = Given extends Taken
  ? [Exclude<keyof Given, keyof Taken>] extends [never]
    ? unknown
    : { to: { 'the service does not take': Exclude<keyof Given, keyof Taken> } }
  : { to: { 'the service takes': Taken; 'the call gives': Given } };

function declared<A extends `${Method} /${string}`>({
  at,
  id,
  summary,
  policy,
  body,
  query,
  versioned,
  failures = [],
  invalidates,
  pictures,
}: Declaration<A, Schema, QuerySchema, true | undefined>) {
  const [method, path] = at.split(' ') as [Method, `/${string}`];
  return {
    ...{ at, method, path, operationId: id, summary, policy, failures, group: '' },
    ...(body && { body }),
    ...(query && { query }),
    ...(versioned && { versioned }),
    ...(invalidates && { invalidates }),
    ...(pictures && { pictures }),
  };
}

function extrasOf<R>({
  answer,
  status,
  rawBody,
  streamedBody,
  revalidates,
  mediaType,
  writesReply,
}: HandledDeclaration<unknown, unknown, unknown, unknown, R>) {
  return {
    answer,
    ...(status && { status }),
    ...(rawBody && { rawBody }),
    ...(streamedBody && { streamedBody }),
    ...(revalidates && { revalidates }),
    ...(mediaType && { mediaType }),
    ...(writesReply && { writesReply }),
  };
}

/** Puts operations under a heading of the API reference. */
export function grouped<Ops extends Record<string, Operation>>(group: string, operations: Ops): Ops {
  const entries = Object.entries(operations).map(([name, one]) => [name, { ...one, group }]);
  return Object.fromEntries(entries) as Ops;
}

/** Answers the service's output; `answer` is the same schema under the name that the API reference gives it. */
export function output<C extends Contract>(
  contract: C,
  answer?: z.ZodType<Output<C>>,
): RelayTarget<C, z.ZodType<Output<C>>> {
  const schema = answer ?? (contract.output as z.ZodType<Output<C>>);
  return { contract, form: 'output', status: 200, answer: schema };
}

/** Answers one page of a list as an array, with `X-Total-Count` and `Link`. */
export function list<R extends z.ZodType, C extends Contract<z.ZodType, z.ZodType<{ items: z.output<R>[] }>>>(
  contract: C,
  record: R,
): RelayTarget<C, z.ZodArray<R>> {
  return { contract, form: 'list', status: 200, answer: z.array(record) };
}
