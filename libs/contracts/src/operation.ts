import { z } from 'zod';
import { type AnswerForm, type AnswerMapping, type AnswerOf, type OutputOf, type Status } from './answers.js';
import { client, type Client } from './client.js';
import { command, type Contract, query } from './contract.js';
import type { ErrorCode } from './errors.js';
import { fieldsOf, pageQuery, queryStringOf } from './inputs.js';
import { pageOf, pageRequest, searchText } from './paging.js';
import { adminsOnly, type Policy } from './policy.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Address = `${Method} /${string}`;

/** One call of the REST API. The gateway's handlers, the policy guard, the API reference, the web's client and the tests derive from it. */
export interface Operation {
  readonly method: Method;
  /** Matched in any letter case, with or without a trailing slash. */
  readonly path: `/${string}`;
  readonly policy: Policy;
  /** Unique; names the call in generated clients. Set by `grouped`. */
  readonly operationId: string;
  readonly summary: string;
  /** The heading under which the API reference lists it. */
  readonly group: string;
  readonly body?: z.ZodType;
  /** Takes the body as bytes, of any content type. */
  readonly rawBody?: { readonly maxBytes: number };
  /** Takes the body as a stream, of this content type or, with `true`, of any. The handler checks the type and limits the size. */
  readonly streamedBody?: true | string;
  /** Requires the header `Tus-Resumable` (https://tus.io), which the handler checks. */
  readonly tus?: true;
  /** Turns the text of the query string into the values that the handler receives. */
  readonly query?: z.ZodObject;
  readonly status: Status;
  /** On success. Unless `writesReply`, the answer is written through this schema, so it matches the API reference. */
  readonly answer: z.ZodType;
  /** Expected failures beyond those that follow from the address, the policy, the inputs and the transport. */
  readonly failures: readonly ErrorCode[];
  /** Fields with the address of a picture. The gateway makes these addresses absolute for callers from other origins. */
  readonly pictureFields?: ReadonlySet<string>;
  /** Has a strong `ETag` and honours `If-None-Match`. */
  readonly revalidates?: true;
  /** Honours `Range` by sending a part of the file. */
  readonly ranges?: true;
  /** Takes `If-Match: "<version>"`. */
  readonly versioned?: true;
  /** Of the answer; by default `application/json`. */
  readonly mediaType?: string;
  /**
   * The copy that the gateway clears or refreshes before it answers, because this call may have changed the original. `cachedSessions`: who is
   * signed in, how recently, and with what role. `cachedContent`: the site's content.
   */
  readonly invalidates?: 'cachedSessions' | 'cachedContent';
  /** Has `X-Total-Count`, and `Link` to the next page. */
  readonly paged?: true;
  /** The handler writes the reply: a download, a page, or bytes that are kept ready. */
  readonly writesReply?: true;
  /** How a service's output becomes the answer. Without it, a controller of the gateway handles the call. */
  readonly relay?: AnswerForm;
}

/** `'id'` for `GET /order/:id/timeline`. */
type ParamName<A extends string> = A extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamName<More>
    : Rest
  : never;
type Params<A extends string> = { [N in ParamName<A>]: string };

type Simplify<T> = { [K in keyof T]: T[K] };
type Parsed<S> = S extends z.ZodType ? z.output<S> : unknown;
type Unparsed<S> = S extends z.ZodType ? z.input<S> : unknown;
type Version<V> = V extends true ? { ifVersion?: number } : unknown;

/** Query, body, path parameters and the version of `If-Match`. */
type Received<A extends string, B, Q, V> = Simplify<Parsed<Q> & Parsed<B> & Params<A> & Version<V>>;

/** A caller passes parsed values, such as numbers. The client writes them as text. */
type QueryValues<Q extends z.ZodObject> = {
  [K in keyof z.input<Q>]: K extends keyof z.output<Q> ? z.output<Q>[K] : never;
};
type OptionalIfMayBeEmpty<K extends string, T> = Partial<T> extends T ? { [P in K]?: T } : { [P in K]: T };
/** An object schema without fields has the type `Record<string, never>`: such a query is not sent. */
type SentQuery<Q> = Q extends z.ZodObject
  ? string extends keyof z.output<Q>
    ? unknown
    : OptionalIfMayBeEmpty<'query', QueryValues<Q>>
  : unknown;

type Sent<A extends string, B, Q, V> = ([ParamName<A>] extends [never] ? unknown : { params: Params<A> }) &
  SentQuery<Q> &
  (B extends z.ZodType ? { body: z.input<B> } : unknown) &
  Version<V>;

/** `types` exists only at compile time. */
interface TypedOperation<A extends string, Input, Request, Answer, Result = Answer> extends Operation {
  readonly at: A;
  readonly types?: {
    readonly input: Input;
    readonly request: Request;
    readonly answer: Answer;
    readonly result: Result;
  };
}

/** Also the contract with the service. */
interface RelayedOperation<A extends string, I extends z.ZodType, O extends z.ZodType, Request, Answer>
  extends TypedOperation<A, z.output<I>, Request, Answer>, Contract<I, O> {
  readonly relay: AnswerForm;
}

type Types<O> = O extends { readonly types?: infer T } ? NonNullable<T> : never;
export type OperationInput<O> = Types<O> extends { readonly input: infer T } ? T : never;
export type OperationInputs<Ops> = { [K in keyof Ops]: OperationInput<Ops[K]> };
export type OperationRequest<O> = Types<O> extends { readonly request: infer T } ? T : never;
export type OperationAnswer<O> = Types<O> extends { readonly answer: infer T } ? T : never;
/** What the handler returns. */
export type OperationResult<O> = Types<O> extends { readonly result: infer T } ? T : unknown;

interface Declaration<A, B, Q, V> extends Pick<Operation, 'invalidates' | 'pictureFields'> {
  readonly at: A;
  readonly summary: string;
  readonly policy: Policy;
  readonly body?: B;
  readonly query?: Q;
  readonly versioned?: V;
  readonly failures?: readonly ErrorCode[];
  /** By default 200, or for a relay the status of its answer (201 for `created`). */
  readonly status?: Status;
}

interface HandledDeclaration<A, B, Q, V, R, W = true | undefined>
  extends
    Declaration<A, B, Q, V>,
    Pick<Operation, 'rawBody' | 'streamedBody' | 'tus' | 'revalidates' | 'ranges' | 'mediaType'> {
  /** The `operationId`, if it is not the operation’s name in its group. */
  readonly id?: string;
  readonly answer: R;
  readonly writesReply?: W;
}

/** What the handler returns: nothing if it writes the reply, or if there is no answer. */
type Result<R extends z.ZodType, W> = W extends true ? void : R extends z.ZodUndefined ? void : z.input<R>;

/** For a call that a controller of the gateway handles. */
export function operation<
  const A extends Address,
  R extends z.ZodType,
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  V extends true | undefined = undefined,
  W extends true | undefined = undefined,
>({
  id: operationId = '',
  ...declaration
}: HandledDeclaration<A, B, Q, V, R, W>): TypedOperation<
  A,
  Received<A, B, Q, V>,
  Sent<A, B, Q, V>,
  z.output<R>,
  Result<R, W>
> {
  return {
    status: 200,
    failures: [],
    group: '',
    ...declaration,
    operationId,
    ...splitAddress(declaration.at),
  };
}

export function csvExport<const A extends `GET /${string}`, Q extends z.ZodObject>(
  declaration: Pick<HandledDeclaration<A, undefined, Q, undefined, never>, 'at' | 'summary'> & {
    query: Q;
  },
) {
  return operation<A, z.ZodString, undefined, Q, undefined, true>({
    ...declaration,
    writesReply: true,
    policy: adminsOnly,
    answer: z.string(),
    mediaType: 'text/csv',
  });
}

type ServicePart = Pick<Contract, 'pattern'> & Partial<Pick<Contract, 'kind' | 'secret'>>;

interface RelayDeclaration<A, B, Q, V, C, T> extends Declaration<A, B, Q, V>, ServicePart {
  /** The gateway adds the field `client`, which says where the request comes from. */
  readonly client?: C;
  /** The service's output, or what `created`, `updated`, `deleted`, `done` or `doneWith` makes of it. */
  readonly answer: T;
}

type ServiceInput<A extends string, V, C, QueryAndBody> = Simplify<
  QueryAndBody & Params<A> & Version<V> & (C extends true ? { client: Client } : unknown)
>;

/**
 * The service's input has the values of the query string and the body, the path parameters and, if declared, `ifVersion` and `client`. Without
 * `kind`, the contract is a query for GET and a command for any other method.
 */
export function relay<
  const A extends Address,
  T extends z.ZodType | AnswerMapping,
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  V extends true | undefined = undefined,
  C extends true | undefined = undefined,
>(
  declaration: RelayDeclaration<A, B, Q, V, C, T>,
): RelayedOperation<
  A,
  z.ZodType<ServiceInput<A, V, C, Parsed<Q> & Parsed<B>>, ServiceInput<A, V, C, Unparsed<Q> & Unparsed<B>>>,
  OutputOf<T>,
  Sent<A, B, Q, V>,
  z.output<AnswerOf<T>>
> {
  const { at, body, query: values, versioned, client: addsClient, answer } = declaration;
  const mapping: AnswerMapping =
    answer instanceof z.ZodType
      ? { output: answer, answer, form: 'output', status: 200 }
      : (answer as AnswerMapping);
  const input = z.strictObject({
    ...values?.shape,
    ...(body && fieldsOf(body)),
    // After the body, whose fields must not replace the path parameters.
    ...Object.fromEntries(paramsOf(at).map((name) => [name, z.string()])),
    ...(versioned && { ifVersion: z.int().optional() }),
    ...(addsClient && { client }),
  });
  return relayed(declaration, {
    input,
    output: mapping.output,
    query: values && queryStringOf(values),
    answer: mapping.answer,
    relay: mapping.form,
    status: declaration.status ?? mapping.status,
  }) as never;
}

const searchableRequest = pageRequest.extend({ search: searchText.optional() });

interface ListDeclaration<A, S extends z.ZodRawShape, R>
  extends Omit<Declaration<A, undefined, undefined, undefined>, 'body' | 'query' | 'status'>, ServicePart {
  /** Filter and sort parameters, besides `search`. */
  readonly filter: z.ZodObject<S>;
  readonly record: R;
}

/** For a list that a service returns page by page. The answer is an array, with `X-Total-Count` and `Link`. */
export function list<const A extends Address, S extends z.ZodRawShape, R extends z.ZodType>(
  declaration: ListDeclaration<A, S, R>,
): RelayedOperation<
  A,
  z.ZodObject<typeof searchableRequest.shape & S>,
  ReturnType<typeof pageOf<R>>,
  Sent<A, undefined, z.ZodObject<typeof pageQuery.shape & S>, undefined>,
  z.output<R>[]
> & { readonly paged: true } {
  const { filter, record } = declaration;
  return relayed(declaration, {
    input: searchableRequest.extend(filter.shape),
    output: pageOf(record),
    query: pageQuery.extend(queryStringOf(filter).shape),
    answer: z.array(record),
    relay: 'list',
    status: 200,
    paged: true,
  }) as never;
}

function relayed(
  declaration: Omit<Declaration<string, z.ZodType | undefined, unknown, unknown>, 'query' | 'status'> &
    ServicePart,
  parts: Pick<Contract, 'input' | 'output'> & Partial<Operation>,
) {
  const { at, pattern, policy, kind, secret = [] } = declaration;
  const declareContract =
    (kind ?? (at.startsWith('GET ') ? 'query' : 'command')) === 'query' ? query : command;
  const { access, fresh } = policy;
  return {
    failures: [],
    group: '',
    ...declaration,
    ...parts,
    ...declareContract({ pattern, access, fresh, secret, input: parts.input, output: parts.output }),
    operationId: '',
    ...splitAddress(at),
  };
}

function splitAddress(at: string) {
  const [method, path] = at.split(' ') as [Method, `/${string}`];
  return { method, path };
}

const paramsOf = (at: string) => [...at.matchAll(/:(\w+)/g)].map(([, name]) => name!);

/** `group` is the heading in the API reference. An operation's name becomes its `operationId`, unless it has one. */
export function grouped<Ops extends Record<string, Operation>>(group: string, operations: Ops): Ops {
  const entries = Object.entries(operations).map(([name, one]) => [
    name,
    { ...one, group, operationId: one.operationId || name },
  ]);
  return Object.fromEntries(entries) as Ops;
}

/** Only the relays, which are also the contracts with their service. */
export function relayedIn<Ops extends Record<string, Operation>>(operations: Ops) {
  const entries = Object.entries(operations).filter(([, { relay }]) => relay);
  return Object.fromEntries(entries) as { [K in keyof Ops as Ops[K] extends Contract ? K : never]: Ops[K] };
}
