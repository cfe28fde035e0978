import { Injectable } from '@nestjs/common';
import { NoAnswerYet } from '../payment-provider.js';

/** A quarter of the requests that a process handles at once. */
const concurrency = 16;

/**
 * Calls to providers for which a buyer waits. Their number is bounded: however slow a provider is, the process still has room for other requests, so
 * that orders can be listed, placed and managed.
 */
@Injectable()
export class BuyerCalls {
  private running = 0;

  /** Throws NoAnswerYet if too many calls are under way, and what `call` throws. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.running >= concurrency) throw new NoAnswerYet('too many calls to the provider are under way');
    this.running += 1;
    try {
      return await call();
    } finally {
      this.running -= 1;
    }
  }
}
