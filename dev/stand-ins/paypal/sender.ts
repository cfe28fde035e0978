import { setMaxListeners } from 'node:events';
import { abortAfter } from '#libs/runtime';
import type { Delivery } from './model.js';

/** Posts IPNs and webhooks. */
export class Sender {
  private readonly closing = new AbortController();

  /** PayPal waits 30 s for an answer. */
  constructor(private readonly timeoutMs = 30_000) {
    // Every message under way adds an event listener to this signal, so Node should not warn of a leak.
    setMaxListeners(0, this.closing.signal);
  }

  get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  close(): void {
    this.closing.abort();
  }

  async send(url: string, body: string, headers: Record<string, string>): Promise<Omit<Delivery, 'at'>> {
    const late = new Error('no answer in time');
    const post = async (signal: AbortSignal) => {
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      // PayPal ignores everything in the answer except the status.
      await response.body?.cancel();
      return { status: response.status, fault: null };
    };
    try {
      return await abortAfter(this.timeoutMs, late, post, this.closing.signal);
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      return { status: null, fault: cause?.code ?? message };
    }
  }
}
