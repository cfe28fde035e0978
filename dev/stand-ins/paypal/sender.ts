import { setMaxListeners } from 'node:events';
import type { Delivery } from './model.js';

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
    // Not AbortSignal.any: on Node 20, its timeout may be garbage-collected before it fires (https://github.com/nodejs/node/issues/57736).
    const ending = new AbortController();
    const end = () => ending.abort();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      end();
    }, this.timeoutMs);
    if (this.isClosed) end();
    this.closing.signal.addEventListener('abort', end, { once: true });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: ending.signal,
      });
      // PayPal ignores everything in the answer except the status.
      await response.body?.cancel();
      return { status: response.status, fault: null };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      return { status: null, fault: late ? 'no answer in time' : (cause?.code ?? message) };
    } finally {
      clearTimeout(timer);
      this.closing.signal.removeEventListener('abort', end);
    }
  }
}
