import type { FieldError, OperationAnswer, OperationRequest } from '#libs/contracts';
import type { OperationsByAddress } from '#libs/operations';

export interface Problem<Current = unknown> {
  /** HTTP status; 0 if no call was made or no answer came. */
  status: number;
  code?: string;
  sentence: string;
  /** The form shows the messages of `fields` at its inputs, so `FormProblem` only links to the inputs. */
  shownAtFields?: boolean;
  fields: FieldError[];
  /** With 412, the newer record. For other refusals, see `ErrorDetails` in `libs/contracts`. */
  current?: Current;
  /** With SECOND_FACTOR_REQUIRED: the methods that can complete the sign-in. */
  secondFactor?: { methods: readonly string[] };
}

export type Answer<T, Current = unknown> =
  | { ok: true; value: T; headers: Headers }
  | { ok: false; problem: Problem<Current> };

export const unreachable: Problem<never> = {
  status: 0,
  sentence: 'We can’t reach the site. Check your connection and try again.',
  fields: [],
};

const deadlineMs = 20_000;

/** Aborts at the deadline, or earlier when `own` does. */
export function callSignal(own?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(deadlineMs);
  return own ? AbortSignal.any([own, deadline]) : deadline;
}

interface CallOptions {
  /** The server carries out requests with the same key only once. */
  idempotencyKey?: string;
  /** If the call is refused, the session is not renewed and the call not repeated. */
  withoutRenewal?: boolean;
  signal?: AbortSignal;
}

export type OperationAddress = keyof OperationsByAddress;
export type RequestOf<A extends OperationAddress> = OperationRequest<OperationsByAddress[A]>;
export type AnswerOf<A extends OperationAddress> = OperationAnswer<OperationsByAddress[A]>;
/** With `ifVersion`, a refusal may include the current record. */
type CurrentOf<A extends OperationAddress> = 'ifVersion' extends keyof RequestOf<A> ? AnswerOf<A> : unknown;
/** An argument that is optional if none of its properties is required. */
type Argument<T> = Partial<T> extends T ? [given?: T] : [given: T];
export type PathArguments<A extends OperationAddress> = Argument<
  Pick<RequestOf<A>, keyof RequestOf<A> & keyof PathParts>
>;

export interface PathParts {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

interface UntypedRequest extends CallOptions {
  body?: object;
  /** The server refuses (412) if there is a newer version. */
  ifVersion?: number;
}

/**
 * Not called for calls `withoutRenewal`. Resolves to true if the session was renewed or the person has confirmed their identity: the call is then
 * repeated.
 */
let refusalListener: ((problem: Problem) => Promise<boolean>) | undefined;

/** The listener gets problems of every kind, not only those of the session. Returns the previous listener, for the new one to call. */
export function setRefusalListener(listener: (problem: Problem) => Promise<boolean>): typeof refusalListener {
  const before = refusalListener;
  refusalListener = listener;
  return before;
}

/**
 * Never rejects: failures are answers too. If the access token has expired, it is renewed and the call repeated, which is safe because the refused
 * call had no effect. For calls with a query, which public pages do not need, use `useQuery` or `callWithQuery`.
 */
export function callApi<A extends OperationAddress>(
  at: A,
  ...request: Argument<RequestOf<A> & CallOptions & { query?: never }>
): Promise<Answer<AnswerOf<A>, CurrentOf<A>>>;
export function callApi(
  at: OperationAddress,
  request: Pick<PathParts, 'params'> & UntypedRequest = {},
): Promise<Answer<unknown>> {
  const [method, path] = at.split(' ') as [string, string];
  return callPath(method, fillPath(path, request.params), request);
}

export function fillPath(path: string, params: PathParts['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
}

/** For an address that is known only at run time. Wherever possible, use `callApi`, whose answers are typed. */
export async function callPath(
  method: string,
  path: string,
  request: UntypedRequest,
): Promise<Answer<unknown>> {
  let answer = await sendOnce(method, path, request);
  // Twice, because a renewed session can still be too old for the call.
  for (let repeats = 0; repeats < 2 && !request.withoutRenewal; repeats += 1) {
    if (answer.ok || !(await refusalListener?.(answer.problem))) break;
    answer = await sendOnce(method, path, request);
  }
  return answer;
}

async function sendOnce(
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
 * Converts the response of a call: `answerFrom<'POST /images'>(…)`. The types are not checked; the gateway writes most answers through the same
 * schema. A refusal is a problem document (RFC 9457), unless a proxy answered.
 */
export function answerFrom<A extends OperationAddress>(
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
