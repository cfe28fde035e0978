import { Inject, Injectable } from '@nestjs/common';
import { isConnectionError } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { TimeoutError, within } from '#libs/runtime';
import type { RequestContext } from '#libs/transport';
import { NoAnswerYet } from '../../provider-request/provider-request.js';
import { isProvidersFault } from '../payment-provider.js';

/** A process handles 64 requests of the gateway at the same time (`StreamsServerOptions`). At most a quarter of them may wait for a provider. */
const concurrency = 16;
/** Waiting for a call ends at least this long before the deadline of the caller's request. */
const answerMarginMs = 1_500;

/** The caller has stopped waiting, but the call goes on and can still have its effect. */
export class StoppedWaiting extends NoAnswerYet {}

/**
 * Limits how many calls to the provider run at the same time for callers who wait (buyers and, for plans, also admins), so that a slow provider
 * leaves room for other requests. Also limits how long a caller waits, because one call can consist of several requests to the provider.
 */
@Injectable()
export class BuyerCalls {
  private running = 0;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /**
   * Throws NoAnswerYet, and makes no call, if too many calls are under way or the deadline is near. Throws StoppedWaiting if the call has not ended
   * after `waitMs`, or when the deadline is near. A later failure of the call is logged with the ids in `about`, unless Postgres is unreachable.
   */
  async run<T>(
    { deadline }: Pick<RequestContext, 'deadline'>,
    call: () => Promise<T>,
    about: Readonly<Record<string, string>>,
    waitMs = Infinity,
  ): Promise<T> {
    if (this.running >= concurrency) throw new NoAnswerYet('too many calls to the provider are under way');
    const ms = Math.min(waitMs, deadline - answerMarginMs - performance.now());
    if (ms <= 0) throw new NoAnswerYet('no time was left for a call to the provider');
    const result = this.runCounted(call);
    try {
      return await within(ms, result);
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
      result.catch((lateError: unknown) => this.report(lateError, about));
      throw new StoppedWaiting('the provider did not answer while the caller waited');
    }
  }

  private report(error: unknown, about: Readonly<Record<string, string>>): void {
    const message = 'A call to the provider failed after the caller had stopped waiting';
    if (isProvidersFault(error)) this.logger.warn({ ...about, reason: error.message }, message);
    // The readiness check reports an unreachable Postgres.
    else if (!isConnectionError(error)) this.logger.error({ ...about, err: error }, message);
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
