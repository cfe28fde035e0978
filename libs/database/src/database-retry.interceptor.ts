import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, type Observable, retry, tap, throwError, timer } from 'rxjs';
import { DomainError } from '#libs/contracts';
import { RequestContext } from '#libs/transport';
import { isConnectionError, isPoolExhausted, toDomainError } from './connection-error.js';

/** How long handlers wait for a lost Postgres. One that restarts or is replaced is usually back within this time. */
const toleranceMs = 4_000;

/**
 * Runs a handler again after a lost connection. Handlers must tolerate that anyway, because a request whose
 * replica died is delivered again: queries may run more than once, and commands go through the inbox. A longer outage
 * reaches every caller as UNAVAILABLE: once some calls have waited in vain, further calls fail immediately until
 * a handler succeeds, or none has failed for `toleranceMs`. Nothing is tried again after a request's deadline.
 */
export class DatabaseRetryInterceptor implements NestInterceptor {
  private outage: { since: number; lastSeen: number } | undefined;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const began = performance.now();
    const request: unknown = context.switchToRpc().getContext();
    // Nobody waits for the handler of an event.
    const deadline = request instanceof RequestContext ? request.deadline : Infinity;
    let attemptedAt = began;
    return defer(() => {
      attemptedAt = performance.now();
      return next.handle();
    }).pipe(
      tap(() => this.succeeded(attemptedAt)),
      retry({
        delay: (error: unknown, tries) => {
          const waitMs = Math.min(25 * 2 ** tries, 400) + Math.random() * 50;
          const mayRetry = this.noteFailure(error, began);
          return mayRetry && performance.now() + waitMs < deadline
            ? timer(waitMs)
            : throwError(() => toDomainError(error));
        },
      }),
    );
  }

  /**
   * Ends the outage, unless this attempt began before it: Postgres may have answered such an attempt before the outage, so its success does not
   * show that the outage is over.
   */
  private succeeded(attemptedAt: number): void {
    if (this.outage && attemptedAt > this.outage.since) this.outage = undefined;
  }

  /** Records a lost connection. Returns whether to try again. */
  private noteFailure(error: unknown, began: number): boolean {
    const reason = error instanceof DomainError ? error.cause : error;
    if (!isConnectionError(reason) || isPoolExhausted(reason)) return false;
    const now = performance.now();
    // If the last failure was long ago, this one begins a new outage.
    const since = this.outage && now - this.outage.lastSeen < toleranceMs ? this.outage.since : now;
    this.outage = { since, lastSeen: now };
    return now - Math.min(since, began) < toleranceMs;
  }
}
