import { abortAfter } from '#libs/runtime';

export interface ProviderRequest {
  /** Default POST. */
  method?: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** For the whole exchange, including a body that arrives byte by byte. */
  timeoutMs: number;
  /** A longer answer ends in NoAnswerYet. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface ProviderAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** There was no usable answer, so the request has to be repeated later. The message names no buyer, so it can be logged. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet';
}

/**
 * Sends one request to a payment provider or the register of VAT IDs, and returns the answer, whatever its status. Follows no redirect. Throws
 * NoAnswerYet if the connection fails, if there is no complete answer within `timeoutMs`, if the answer is too long, or when `signal` aborts.
 *
 * Ends at its deadline whatever happens to the connection; otherwise a worker that waits for it would renew its lease forever.
 */
export function askProvider({ signal, timeoutMs, ...request }: ProviderRequest): Promise<ProviderAnswer> {
  const late = new NoAnswerYet('there was no complete answer in time');
  const ask = (ending: AbortSignal) => Promise.race([exchange(request, ending), rejectOnAbort(ending)]);
  return abortAfter(timeoutMs, late, ask, signal);
}

async function exchange(
  { method = 'POST', url, headers = {}, body, maxBytes }: Omit<ProviderRequest, 'signal' | 'timeoutMs'>,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      // Some providers refuse requests without a User-Agent.
      headers: { 'User-Agent': 'seo-services-platform/1', 'Accept-Encoding': 'identity', ...headers },
      ...(body && { body: new Uint8Array(body) }),
      signal,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: await readAtMost(response, maxBytes),
    };
  } catch (error) {
    if (signal.aborted) throw noAnswerAfter(signal);
    throw error instanceof NoAnswerYet ? error : new NoAnswerYet(reasonOf(error));
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(noAnswerAfter(signal));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** The signal has aborted, because the deadline has passed or the caller has cancelled the request. */
function noAnswerAfter({ reason }: AbortSignal): NoAnswerYet {
  return reason instanceof NoAnswerYet ? reason : new NoAnswerYet('the request was cancelled');
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) return Buffer.concat(chunks);
    size += value.length;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new NoAnswerYet('the answer was too long');
    }
    chunks.push(value);
  }
}

/** The error of `fetch` has the reason in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
