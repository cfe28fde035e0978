import { Injectable } from '@nestjs/common';
import { TimeoutError, within } from '#libs/runtime';
import type { RequestContext } from '#libs/transport';
import { NoAnswerYet } from '../../provider-request/provider-request.js';

/** A quarter of the gateway's requests that a process handles at the same time. */
const concurrency = 16;
/** The buyer gets an answer this long before the deadline of their request. */
const answerMarginMs = 1_500;

/**
 * Limits how many calls to the provider run at the same time, so that a slow provider leaves room for other requests. Also limits how long a buyer
 * waits, because one call can consist of several requests to the provider.
 */
@Injectable()
export class BuyerCalls {
  private running = 0;

  /** Throws NoAnswerYet if too many calls are under way, or if the deadline is near. A call that has begun goes on, and can still have its effect. */
  async run<T>({ deadline }: Pick<RequestContext, 'deadline'>, call: () => Promise<T>): Promise<T> {
    if (this.running >= concurrency) throw new NoAnswerYet('too many calls to the provider are under way');
    const ms = deadline - answerMarginMs - performance.now();
    if (ms <= 0) throw notInTime();
    try {
      return await within(ms, this.runCounted(call));
    } catch (error) {
      throw error instanceof TimeoutError ? notInTime() : error;
    }
  }

  private async runCounted<T>(call: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await call();
    } finally {
      this.running -= 1;
    }
  }
}

const notInTime = () => new NoAnswerYet('the provider did not answer while the buyer waited');
