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

  private async ask({ url, body, maxBytes, signal, timeoutMs }: Question): Promise<Buffer> {
    const deadline = AbortSignal.timeout(timeoutMs ?? this.options.timeoutMs);
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
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new NoAnswerYet(`the answer had status ${response.status}`);
      }
      return await readAtMost(response, maxBytes);
    } catch (error) {
      if (error instanceof NoAnswerYet) throw error;
      throw new NoAnswerYet(deadline.aborted ? 'there was no whole answer in time' : reasonOf(error));
    }
  }
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
