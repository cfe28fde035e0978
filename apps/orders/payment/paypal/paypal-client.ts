import { NoAnswerYet } from '../payment-provider.js';

export interface PaypalClientOptions {
  /** For the whole exchange, including a body that arrives byte by byte. */
  timeoutMs: number;
}

interface PaypalRequest {
  url: string;
  body: Buffer;
  timeoutMs?: number;
  maxBytes: number;
  signal?: AbortSignal;
}

/** PayPal refuses requests without one. */
const userAgent = 'seo-services-platform/1 (PayPal listener)';
const prefix = Buffer.from('cmd=_notify-validate&');
/** A verdict has at most eight letters. */
const verdictBytes = 64;
const dataBytes = 64 * 1024;

/** Calls PayPal with a deadline, follows no redirect, and accepts only answers with status 200. */
export class PaypalClient {
  constructor(private readonly options: PaypalClientOptions) {}

  /**
   * Sends a notification back unchanged (https://developer.paypal.com/api/nvp-soap/ipn/IPNImplementation/). Throws NoAnswerYet for any
   * answer but the two words.
   */
  async validate(url: string, notification: Buffer, signal: AbortSignal): Promise<'VERIFIED' | 'INVALID'> {
    const body = Buffer.concat([prefix, notification]);
    const answer = await this.ask({ url, body, maxBytes: verdictBytes, signal });
    const word = answer.toString('latin1');
    if (word === 'VERIFIED' || word === 'INVALID') return word;
    throw new NoAnswerYet('the answer was neither VERIFIED nor INVALID');
  }

  /** Payment data transfer: the facts of a transaction, form-encoded; null if PayPal answers FAIL. Throws NoAnswerYet. */
  async lookUp(url: string, transaction: string, token: string, timeoutMs: number): Promise<Buffer | null> {
    const body = new URLSearchParams({ cmd: '_notify-synch', tx: transaction, at: token });
    const answer = await this.ask({
      url,
      body: Buffer.from(body.toString()),
      timeoutMs,
      maxBytes: dataBytes,
    });
    const [word, ...lines] = answer.toString('latin1').split('\n');
    if (word?.trim() === 'FAIL') return null;
    if (word?.trim() !== 'SUCCESS') throw new NoAnswerYet('the answer was neither SUCCESS nor FAIL');
    const pairs = lines.map((line) => line.trim()).filter((line) => line !== '');
    return Buffer.from(pairs.join('&'), 'latin1');
  }

  /**
   * Ends at its deadline whatever happens to the connection; otherwise its notification would never be released. Does not use
   * AbortSignal.any and AbortSignal.timeout, which Node 20 may collect before they fire (https://github.com/nodejs/node/issues/57736).
   */
  private async ask({ signal, timeoutMs, ...request }: PaypalRequest): Promise<Buffer> {
    const controller = new AbortController();
    const end = () => controller.abort();
    const deadline = setTimeout(end, timeoutMs ?? this.options.timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    try {
      return await Promise.race([exchange(request, controller.signal), ended(controller.signal)]);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', end);
    }
  }
}

async function exchange({ url, body, maxBytes }: PaypalRequest, signal: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'User-Agent': userAgent,
        'Accept-Encoding': 'identity',
      },
      body: new Uint8Array(body),
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new NoAnswerYet(`the answer had status ${response.status}`);
    }
    return await readAtMost(response, maxBytes);
  } catch (error) {
    throw error instanceof NoAnswerYet ? error : new NoAnswerYet(reasonOf(error));
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new NoAnswerYet('there was no whole answer in time'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
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
