import type { FieldError } from '#libs/contracts';
import type { OperationAnswer, OperationRequest } from '#libs/contracts';
import type { Calls } from '#libs/operations';

/** Why a call failed, in a sentence for the person who made it. */
export interface Problem {
  /** 0 when no answer came. */
  status: number;
  /** The API's own name for it, where the API answered. */
  code?: string;
  sentence: string;
  fields: FieldError[];
  /** With 412: the record as it stands now. */
  current?: unknown;
}

export type Answer<T> = { ok: true; value: T; headers: Headers } | { ok: false; problem: Problem };

/** No answer came. */
export const unreachable: Problem = {
  status: 0,
  sentence: 'We can’t reach the site. Check your connection and try again.',
  fields: [],
};

/** No answer after this long is a failure. */
export const deadlineMs = 20_000;

interface CallOptions {
  /** The server carries out requests with the same key once. */
  idempotencyKey?: string;
  /** A refusal for lack of a session is final: the session is not renewed. */
  asIs?: boolean;
  /** Ends the call early. It replaces the deadline, so the caller keeps one of its own. */
  signal?: AbortSignal;
}

/** Method and path of a call, like `PUT /order/:id`. */
export type Address = keyof Calls;
/** What a call sends: path parameters, query, body and version, as its operation declares them. */
export type RequestOf<A extends Address> = OperationRequest<Calls[A]>;
/** What a call answers. */
export type AnswerOf<A extends Address> = OperationAnswer<Calls[A]>;
/** An argument that is optional where nothing has to be given. */
type Argument<T> = Partial<T> extends T ? [given?: T] : [given: T];
/** What fills the path of a call: its parameters and its query. */
export type PathArguments<A extends Address> = Argument<
  Pick<RequestOf<A>, keyof RequestOf<A> & keyof PathParts>
>;

export interface PathParts {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

interface UntypedRequest extends CallOptions {
  body?: object;
  /** The version to change: the server refuses (412) when there is a newer one. */
  ifVersion?: number;
}

/** Called after every refusal. True when the session was renewed, and the call is worth repeating. */
let afterRefusal: ((problem: Problem) => Promise<boolean>) | undefined;

/** For `session.ts`, which knows what a refusal says about the session. Returns the previous listener, for the new one to call. */
export function onRefusal(listener: (problem: Problem) => Promise<boolean>): typeof afterRefusal {
  const before = afterRefusal;
  afterRefusal = listener;
  return before;
}

/**
 * Calls the site's own API, typed by the call's operation. Never rejects: a failure is an answer too. An access token that ran out is
 * renewed, and the call repeated: it had no effect yet. Calls with a query are made with `useQuery` or `pathOf`, which visitors do not load.
 */
export function callApi<A extends Address>(
  at: A,
  ...request: Argument<RequestOf<A> & CallOptions & { query?: never }>
): Promise<Answer<AnswerOf<A>>>;
export function callApi(
  at: Address,
  request: Pick<PathParts, 'params'> & UntypedRequest = {},
): Promise<Answer<unknown>> {
  const [method, path] = at.split(' ') as [string, string];
  return callPath(method, fillPath(path, request.params), request);
}

/** Fills `:name` in a path. */
export function fillPath(path: string, params: PathParts['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
}

/** Calls an address that is known only at run time. Its answer is not checked against `T`: wherever possible, use `callApi`. */
export async function callPath<T>(method: string, path: string, request: UntypedRequest): Promise<Answer<T>> {
  const answer = await attempt<T>(method, path, request);
  if (answer.ok || request.asIs || !(await afterRefusal?.(answer.problem))) return answer;
  return attempt<T>(method, path, request);
}

async function attempt<T>(
  method: string,
  path: string,
  { body, idempotencyKey, ifVersion, signal }: UntypedRequest,
): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(ifVersion && { 'if-match': `"${ifVersion}"` }),
      },
      signal: signal ?? AbortSignal.timeout(deadlineMs),
      body: body && JSON.stringify(body),
    });
  } catch {
    return { ok: false, problem: unreachable };
  }
  const content: unknown = await response.json().catch(() => undefined);
  if (response.ok && content !== undefined)
    return { ok: true, value: content as T, headers: response.headers };
  return { ok: false, problem: problemOf(response.status, content) };
}

/** RFC 9457 where the answer is a problem document; a plain sentence where something in between answered. */
export function problemOf(status: number, content: unknown): Problem {
  const { detail, title, code, errors, current } = (content ?? {}) as {
    detail?: string;
    title?: string;
    code?: string;
    errors?: FieldError[];
    current?: unknown;
  };
  const sentence = detail || title || `Something went wrong (status ${status}). Try again in a moment.`;
  return { status, code, sentence, fields: Array.isArray(errors) ? errors : [], current };
}
