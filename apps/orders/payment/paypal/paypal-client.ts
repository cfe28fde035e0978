import { NoAnswerYet } from '../payment-provider.js';

export interface PaypalClientOptions {
  /** For the whole exchange, a body that comes byte by byte included. */
  timeoutMs: number;
}

interface Question {
  url: string;
  body: Buffer;
  timeoutMs?: number;
  maxBytes: number;
  signal?: AbortSignal;
}

/** PayPal refuses questions that do not say who asks. */
const userAgent = 'seo-services-platform/1 (PayPal listener)';
const prefix = Buffer.from('cmd=_notify-validate&');
/** The answer is eight letters; whatever is longer is another one. */
const verdictBytes = 64;
const dataBytes = 64 * 1024;

/** Asks PayPal, each time within a deadline, following nobody, and believing only an answer with status 200. */
export class PaypalClient {
  constructor(private readonly options: PaypalClientOptions) {}

  /**
   * Sends a notice back as it came (https://developer.paypal.com/api/nvp-soap/ipn/IPNImplementation/). Throws NoAnswerYet for
   * whatever is neither of the two words.
   */
  async validate(url: string, notice: Buffer, signal: AbortSignal): Promise<'VERIFIED' | 'INVALID'> {
    const body = Buffer.concat([prefix, notice]);
    const answer = await this.ask({ url, body, maxBytes: verdictBytes, signal });
    const word = answer.toString('latin1');
    if (word === 'VERIFIED' || word === 'INVALID') return word;
    throw new NoAnswerYet('the answer was neither VERIFIED nor INVALID');
  }

  /** Payment data transfer: what PayPal knows of a transaction, form-encoded; null when it says FAIL. Throws NoAnswerYet. */
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
   * Ends at its deadline whatever becomes of the connection: a question without an end would keep its notice for ever. Not by
   * AbortSignal.any and AbortSignal.timeout, which Node 20 may collect before they fire (https://github.com/nodejs/node/issues/57736).
   */
  private async ask({ signal, timeoutMs, ...question }: Question): Promise<Buffer> {
    const controller = new AbortController();
    const end = () => controller.abort();
    const deadline = setTimeout(end, timeoutMs ?? this.options.timeoutMs);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    try {
      return await Promise.race([exchange(question, controller.signal), ended(controller.signal)]);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', end);
    }
  }
}

async function exchange({ url, body, maxBytes }: Question, signal: AbortSignal): Promise<Buffer> {
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
    const tell = () => reject(new NoAnswerYet('there was no whole answer in time'));
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
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

/** `fetch` says "fetch failed", and why in its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
