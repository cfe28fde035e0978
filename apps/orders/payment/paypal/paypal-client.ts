import { askProvider, NoAnswerYet, type ProviderRequest } from '../../provider-request/provider-request.js';

export interface PaypalClientOptions {
  /** For the whole exchange, including a body that arrives byte by byte. */
  timeoutMs: number;
}

type PaypalRequest = Pick<ProviderRequest, 'url' | 'maxBytes' | 'signal'> & {
  body: Buffer;
  timeoutMs?: number;
};

const prefix = Buffer.from('cmd=_notify-validate&');
/** A verdict has at most eight letters. */
const maxVerdictBytes = 64;
const maxDataBytes = 64 * 1024;

/**
 * For Payments Standard; `PaypalApiClient` calls the REST API. Each call has a deadline, follows no redirect, and accepts only answers with status
 * 200.
 */
export class PaypalClient {
  constructor(private readonly options: PaypalClientOptions) {}

  /**
   * Sends a notification back unchanged (https://developer.paypal.com/api/nvp-soap/ipn/IPNImplementation/). Throws NoAnswerYet if PayPal answers
   * neither VERIFIED nor INVALID in time.
   */
  async validate(url: string, notification: Buffer, signal: AbortSignal): Promise<'VERIFIED' | 'INVALID'> {
    const body = Buffer.concat([prefix, notification]);
    const answer = await this.ask({ url, body, maxBytes: maxVerdictBytes, signal });
    const word = answer.toString('latin1');
    if (word === 'VERIFIED' || word === 'INVALID') return word;
    throw new NoAnswerYet('the answer was neither VERIFIED nor INVALID');
  }

  /** Payment data transfer: the facts of a transaction, form-encoded; null if PayPal answers FAIL. Throws NoAnswerYet. */
  async lookUp(url: string, txnId: string, pdtToken: string, timeoutMs: number): Promise<Buffer | null> {
    const body = new URLSearchParams({ cmd: '_notify-synch', tx: txnId, at: pdtToken });
    const answer = await this.ask({
      url,
      body: Buffer.from(body.toString()),
      timeoutMs,
      maxBytes: maxDataBytes,
    });
    const [word, ...lines] = answer.toString('latin1').split('\n');
    if (word?.trim() === 'FAIL') return null;
    if (word?.trim() !== 'SUCCESS') throw new NoAnswerYet('the answer was neither SUCCESS nor FAIL');
    const pairs = lines.map((line) => line.trim()).filter((line) => line !== '');
    return Buffer.from(pairs.join('&'), 'latin1');
  }

  private async ask(request: PaypalRequest): Promise<Buffer> {
    const { status, body } = await askProvider({
      timeoutMs: this.options.timeoutMs,
      ...request,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    if (status !== 200) throw new NoAnswerYet(`the answer had status ${status}`);
    return body;
  }
}
