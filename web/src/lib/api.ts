import type { FieldError } from '#libs/contracts';

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
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** The server takes what bears the same key once. */
  idempotencyKey?: string;
  /** What is refused for want of a session stays refused. */
  asIs?: boolean;
  /** The version that is to be changed: the server refuses (412) when there is a newer one. */
  ifVersion?: number;
  /** Ends the call early; whoever gives one keeps the deadline too. */
  signal?: AbortSignal;
}

/** Told of every refusal. True when the session was renewed, and the call is worth repeating. */
let afterRefusal: ((problem: Problem) => Promise<boolean>) | undefined;

/** For `session.ts`, which knows what a refusal says about the session; gives the listener of before, to hand on to. */
export function onRefusal(listener: (problem: Problem) => Promise<boolean>): typeof afterRefusal {
  const before = afterRefusal;
  afterRefusal = listener;
  return before;
}

/**
 * Calls the site's own API. Never rejects: a failure is an answer too, and nothing typed is lost over it. An access token that
 * ran out meanwhile is renewed, and the call repeated: it had no effect yet.
 */
export async function callApi<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const answer = await attempt<T>(path, options);
  if (answer.ok || options.asIs || !(await afterRefusal?.(answer.problem))) return answer;
  return attempt<T>(path, options);
}

async function attempt<T>(
  path: string,
  { method = 'GET', body, idempotencyKey, ifVersion, signal }: CallOptions,
): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifVersion !== undefined && { 'if-match': `"${ifVersion}"` }),
      },
      signal: signal ?? AbortSignal.timeout(deadlineMs),
      body: body === undefined ? undefined : JSON.stringify(body),
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
