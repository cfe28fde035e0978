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

/**
 * One call of the REST API, as data: its address, who may make it, its input and its answer. The gateway's handlers, the policy
 * guard, the API reference, the web's client and the tests all derive from it.
 */
export interface Operation {
  readonly method: Method;
  /** Matches with and without a trailing slash and in any letter case. */
  readonly path: `/${string}`;
  readonly policy: Policy;
  /** Unique; names the call in generated clients. `grouped` sets it to the operation's name in its group, unless it is given. */
  readonly operationId: string;
  readonly summary: string;
  /** The heading under which the API reference lists it. */
  readonly group: string;
  readonly body?: z.ZodType;
  /** Takes the body as bytes, of any content type. */
  readonly rawBody?: { readonly maxBytes: number };
  /** Takes the body as a stream, of the given content type or, with `true`, of any; the handler checks that, and bounds the body. */
  readonly streamedBody?: true | string;
  /** The request needs the header `Tus-Resumable` (https://tus.io), which the handler checks. */
  readonly tus?: true;
  /** The query string. Its schema turns text into the values that the handler receives. */
  readonly query?: z.ZodObject;
  /** The status on success. */
  readonly status: Status;
  /** The answer on success. Unless `writesReply`, it is written through this schema, so it always matches the API reference. */
  readonly answer: z.ZodType;
  /** Expected failures beyond those that follow from the address, the policy, the inputs and the transport. */
  readonly failures: readonly ErrorCode[];
  /** Fields of the answer that hold the address of a picture. The gateway makes it absolute for pages on other origins. */
  readonly pictures?: ReadonlySet<string>;
  /** The answer carries a strong `ETag` and honors `If-None-Match`. */
  readonly revalidates?: true;
  /** Takes `If-Match: "<version>"`. */
  readonly versioned?: true;
  /** `application/json` unless given. */
  readonly mediaType?: string;
  /**
   * The copy that the gateway drops or brings up to date before it answers, because this call may have changed the original: `cachedSessions` (who is
   * signed in, how recently, and with what role; nobody is signed out by it) or `cachedContent` (the site's content).
   */
  readonly invalidates?: 'cachedSessions' | 'cachedContent';
  /** The answer carries `X-Total-Count`, and `Link` to its next page. */
  readonly paged?: true;
  /** The handler writes the reply itself: a download, a page, or bytes that are kept ready. */
  readonly writesReply?: true;
  /** Set when a service answers the call: how its output becomes the answer. A controller of the gateway handles all other calls. */
  readonly relay?: AnswerForm;
}

/** The path parameters of an address: `'id'` for `GET /order/:id/timeline`. */
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

/** What a handler receives: query, body, path parameters and the version of `If-Match`, in one object. */
type Received<A extends string, B, Q, V> = Simplify<Parsed<Q> & Parsed<B> & Params<A> & Version<V>>;

/** Query parameters as values: the client writes them as text. */
type QueryValues<Q extends z.ZodObject> = {
  [K in keyof z.input<Q>]: K extends keyof z.output<Q> ? z.output<Q>[K] : never;
};
type OptionalIfEmpty<K extends string, T> = Partial<T> extends T ? { [P in K]?: T } : { [P in K]: T };
/** The type of an object schema without fields is inferred as a record: such a query is not sent. */
type SentQuery<Q> = Q extends z.ZodObject
  ? string extends keyof z.output<Q>
    ? unknown
    : OptionalIfEmpty<'query', QueryValues<Q>>
  : unknown;

/** What a client sends. */
type Sent<A extends string, B, Q, V> = ([ParamName<A>] extends [never] ? unknown : { params: Params<A> }) &
  SentQuery<Q> &
  (B extends z.ZodType ? { body: z.input<B> } : unknown) &
  Version<V>;

/** An operation with the types of its input and its answer, which exist at compile time only. */
interface TypedOperation<A extends string, Input, Request, Answer, Reply = Answer> extends Operation {
  readonly at: A;
  readonly types?: {
    readonly input: Input;
    readonly request: Request;
    readonly answer: Answer;
    readonly reply: Reply;
  };
}

/** An operation that the gateway passes on to a service unchanged. It is the contract with that service as well. */
interface RelayedOperation<A extends string, I extends z.ZodType, O extends z.ZodType, Request, Answer>
  extends TypedOperation<A, z.output<I>, Request, Answer>, Contract<I, O> {
  readonly relay: AnswerForm;
}

type Types<O> = O extends { readonly types?: infer T } ? NonNullable<T> : never;
/** What the handler of an operation receives. */
export type OperationInput<O> = Types<O> extends { readonly input: infer T } ? T : never;
/** What the handlers of a group receive: `OperationInputs<typeof orderOperations>['getOrdersSales']`. */
export type OperationInputs<Ops> = { [K in keyof Ops]: OperationInput<Ops[K]> };
/** What a client sends to an operation. */
export type OperationRequest<O> = Types<O> extends { readonly request: infer T } ? T : never;
/** The answer of an operation. */
export type OperationAnswer<O> = Types<O> extends { readonly answer: infer T } ? T : never;
/** What the handler of an operation returns: its answer, or nothing if it writes the reply itself. */
export type OperationReply<O> = Types<O> extends { readonly reply: infer T } ? T : unknown;

interface Declaration<A, B, Q, V> extends Pick<Operation, 'invalidates' | 'pictures'> {
  /** Method and path, like `PUT /order/:id`. */
  readonly at: A;
  readonly summary: string;
  readonly policy: Policy;
  readonly body?: B;
  readonly query?: Q;
  readonly versioned?: V;
  readonly failures?: readonly ErrorCode[];
  /** The status of success, if it is not the usual one: for a relay the status of its answer (201 for `created`), otherwise 200. */
  readonly status?: Status;
}

interface HandledDeclaration<A, B, Q, V, R, W = true | undefined>
  extends
    Declaration<A, B, Q, V>,
    Pick<Operation, 'rawBody' | 'streamedBody' | 'tus' | 'revalidates' | 'mediaType'> {
  /** The OpenAPI operationId, if it is not the name in the group: see `notificationOperations`. */
  readonly id?: string;
  readonly answer: R;
  readonly writesReply?: W;
}

/** What the handler returns: nothing if it writes the reply itself, or if there is no answer. */
type Reply<R extends z.ZodType, W> = W extends true ? void : R extends z.ZodUndefined ? void : z.input<R>;

/** Declares a call that a controller of the gateway handles. */
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
  Reply<R, W>
> {
  return {
    status: 200,
    failures: [],
    group: '',
    ...declaration,
    operationId,
    ...partsOf(declaration.at),
  };
}

/** Declares the export of a list as a CSV file. */
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

/** The parts of a relay that belong to the contract with its service. */
type ServicePart = Pick<Contract, 'pattern'> & Partial<Pick<Contract, 'kind' | 'secret'>>;

interface RelayDeclaration<A, B, Q, V, C, T> extends Declaration<A, B, Q, V>, ServicePart {
  /** The gateway adds the field `client`, which says where the request comes from. */
  readonly client?: C;
  /** The service's output, or what the gateway makes of it: see `created`, `updated`, `deleted`, `done` and `doneWith`. */
  readonly answer: T;
}

type ServiceInput<A extends string, V, C, QueryAndBody> = Simplify<
  QueryAndBody & Params<A> & Version<V> & (C extends true ? { client: Client } : unknown)
>;

/**
 * Declares a call that the gateway passes on to a service unchanged. Query, body, path parameters and `ifVersion` together are the service's input.
 * GET is a query of the service and everything else a command, unless `kind` says otherwise.
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
  /** The filter and sort parameters, besides `search`. */
  readonly filter: z.ZodObject<S>;
  readonly record: R;
}

/** Declares a list that a service returns page by page: an array, with `X-Total-Count` and `Link`. */
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

/** Joins the two sides of a relay: the operation and the contract. */
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
    ...partsOf(at),
  };
}

function partsOf(at: string) {
  const [method, path] = at.split(' ') as [Method, `/${string}`];
  return { method, path };
}

const paramsOf = (at: string) => [...at.matchAll(/:(\w+)/g)].map(([, name]) => name!);

/** Puts operations under a heading of the API reference, and gives each its name as the OpenAPI operationId unless it has one. */
export function grouped<Ops extends Record<string, Operation>>(group: string, operations: Ops): Ops {
  const entries = Object.entries(operations).map(([name, one]) => [
    name,
    { ...one, group, operationId: one.operationId || name },
  ]);
  return Object.fromEntries(entries) as Ops;
}

/** The relays in a group of operations: they are also the contracts with a service. */
export function relayedIn<Ops extends Record<string, Operation>>(operations: Ops) {
  const entries = Object.entries(operations).filter(([, { relay }]) => relay);
  return Object.fromEntries(entries) as { [K in keyof Ops as Ops[K] extends Contract ? K : never]: Ops[K] };
}
