import type { FieldError, OperationAnswer, OperationRequest } from '#libs/contracts';
import type { Calls } from '#libs/operations';

/** Why a call failed, in a sentence for the person who made it. */
export interface Problem<Current = unknown> {
  /** HTTP status; 0 if no answer came. */
  status: number;
  /** The code of the API's error, if the API answered. */
  code?: string;
  sentence: string;
  /** The form shows the messages of `fields` at the fields, so `FormProblem` only links to the fields. */
  shownAtFields?: boolean;
  fields: FieldError[];
  /** The current state, if the refusal includes it: with 412, the record. */
  current?: Current;
  /** With SECOND_FACTOR_REQUIRED: the methods that can complete the sign-in. */
  secondFactor?: { methods: readonly string[] };
}

/** The result of a call. `Current` is the type of the current state in a refusal. */
export type Answer<T, Current = unknown> =
  | { ok: true; value: T; headers: Headers }
  | { ok: false; problem: Problem<Current> };

/** No answer came. */
export const unreachable: Problem<never> = {
  status: 0,
  sentence: 'We can’t reach the site. Check your connection and try again.',
  fields: [],
};

/** A call that is not answered within this time has failed. */
const deadlineMs = 20_000;

/** A signal that aborts a call at its deadline, or earlier when the caller's own signal does. */
export function callSignal(own?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(deadlineMs);
  return own ? AbortSignal.any([own, deadline]) : deadline;
}

interface CallOptions {
  /** The server carries out requests with the same key only once. */
  idempotencyKey?: string;
  /** Does not renew the session, nor repeat the call, if the call is refused. */
  withoutRenewal?: boolean;
  /** Aborts the call before its deadline. */
  signal?: AbortSignal;
}

/** Method and path of a call, such as `PUT /order/:id`. */
export type Address = keyof Calls;
/** What a call takes: path parameters, query, body and version, as its operation declares them. */
export type RequestOf<A extends Address> = OperationRequest<Calls[A]>;
/** What a call returns. */
export type AnswerOf<A extends Address> = OperationAnswer<Calls[A]>;
/** The current state that a refusal may include: the record, if the call was for an outdated version. */
type CurrentOf<A extends Address> = 'ifVersion' extends keyof RequestOf<A> ? AnswerOf<A> : unknown;
/** An argument that is optional if none of its properties is required. */
type Argument<T> = Partial<T> extends T ? [given?: T] : [given: T];
/** Path parameters and query of a call. */
export type PathArguments<A extends Address> = Argument<
  Pick<RequestOf<A>, keyof RequestOf<A> & keyof PathParts>
>;

export interface PathParts {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

interface UntypedRequest extends CallOptions {
  body?: object;
  /** The version to change: the server refuses (412) if there is a newer one. */
  ifVersion?: number;
}

/**
 * Called when a call has failed, unless it was made `withoutRenewal`. Resolves to true if the session was renewed, or the
 * person has confirmed their identity: the call is then repeated.
 */
let afterRefusal: ((problem: Problem) => Promise<boolean>) | undefined;

/**
 * For `session.ts` and `fresh-sign-in.ts`, which handle refusals that concern the session. Returns the previous
 * listener, for the new one to call.
 */
export function onRefusal(listener: (problem: Problem) => Promise<boolean>): typeof afterRefusal {
  const before = afterRefusal;
  afterRefusal = listener;
  return before;
}

/**
 * Calls the site's own API, typed by the operation. Never rejects: failures are answers too. If the access
 * token has expired, it is renewed and the call repeated, which is safe because the refused call had no effect.
 * Calls with a query are made with `useQuery` or `callWithQuery`, which the public pages do not need.
 */
export function callApi<A extends Address>(
  at: A,
  ...request: Argument<RequestOf<A> & CallOptions & { query?: never }>
): Promise<Answer<AnswerOf<A>, CurrentOf<A>>>;
export function callApi(
  at: Address,
  request: Pick<PathParts, 'params'> & UntypedRequest = {},
): Promise<Answer<unknown>> {
  const [method, path] = at.split(' ') as [string, string];
  return callPath(method, fillPath(path, request.params), request);
}

/** Replaces `:name` in a path. */
export function fillPath(path: string, params: PathParts['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
}

/** Calls an address that is known only at run time, so the type of its answer is not known. Wherever possible, use `callApi`. */
export async function callPath(
  method: string,
  path: string,
  request: UntypedRequest,
): Promise<Answer<unknown>> {
  const answer = await attempt(method, path, request);
  if (answer.ok || request.withoutRenewal || !(await afterRefusal?.(answer.problem))) return answer;
  return attempt(method, path, request);
}

async function attempt(
  method: string,
  path: string,
  { body, idempotencyKey, ifVersion, signal }: UntypedRequest,
): Promise<Answer<unknown>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
      },
      signal: callSignal(signal),
      body: body && JSON.stringify(body),
    });
  } catch {
    return { ok: false, problem: unreachable };
  }
  const content: unknown = await response.json().catch(() => undefined);
  return answerFrom(response.status, content, response.headers);
}

/**
 * Converts the response of a call: `answerFrom<'POST /images'>(…)`. The types that the operation declares are not checked here; the gateway
 * writes most answers through the same schema. A refusal is a problem document (RFC 9457), unless a proxy answered.
 */
export function answerFrom<A extends Address>(
  status: number,
  content: unknown,
  headers?: Headers,
): Answer<AnswerOf<A>, CurrentOf<A>>;
export function answerFrom(status: number, content: unknown, headers = new Headers()): Answer<unknown> {
  if (status < 300 && content !== undefined) return { ok: true, value: content, headers };
  const refusal = (content ?? {}) as Pick<Problem, 'code' | 'current' | 'secondFactor'> & {
    detail?: string;
    title?: string;
    errors?: FieldError[];
  };
  const { detail, title, errors } = refusal;
  const sentence = detail || title || `Something went wrong (status ${status}). Try again in a moment.`;
  const fields = Array.isArray(errors) ? errors : [];
  return { ok: false, problem: { ...refusal, status, sentence, fields } };
}
