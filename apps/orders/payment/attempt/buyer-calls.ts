import { Injectable } from '@nestjs/common';
import { TimeoutError, within } from '#libs/runtime';
import type { RequestContext } from '#libs/transport';
import { NoAnswerYet } from '../../provider-request/provider-request.js';

/** A quarter of the gateway's requests that a process handles at the same time. */
const concurrency = 16;
/** How long before its deadline a request stops waiting for the provider, so that the request is answered in time. */
const answerMs = 1_500;

/**
 * Makes calls to providers while a buyer waits. The number of calls is bounded: however slow a provider is, the process still has room for other
 * requests, so that orders can be listed, placed and managed. The wait is bounded too, because a call may consist of several requests to the
 * provider.
 */
@Injectable()
export class BuyerCalls {
  private running = 0;

  /**
   * Throws what `call` throws, and NoAnswerYet if too many calls are under way, if the deadline is too near to begin, or if the call has not ended
   * shortly before the deadline; in the last case, the call goes on and may still have its effect.
   */
  async run<T>({ deadline }: Pick<RequestContext, 'deadline'>, call: () => Promise<T>): Promise<T> {
    if (this.running >= concurrency) throw new NoAnswerYet('too many calls to the provider are under way');
    const ms = deadline - answerMs - performance.now();
    if (ms <= 0) throw notInTime();
    try {
      return await within(ms, this.counted(call));
    } catch (error) {
      throw error instanceof TimeoutError ? notInTime() : error;
    }
  }

  private async counted<T>(call: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await call();
    } finally {
      this.running -= 1;
    }
  }
}

const notInTime = () => new NoAnswerYet('the provider did not answer while the buyer waited');
