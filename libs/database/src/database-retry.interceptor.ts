import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, type Observable, retry, tap, throwError, timer } from 'rxjs';
import { RequestContext } from '#libs/transport';
import { isConnectionError, isPoolExhausted, toDomainError } from './database-errors.js';

/** How long handlers wait for a lost Postgres. A restart is usually shorter. */
const toleranceMs = 4_000;

/**
 * Runs a handler again after a lost connection, for at most `toleranceMs` and not beyond the request's deadline. Handlers must tolerate repetitions
 * anyway. When an outage has lasted `toleranceMs`, failures are returned without another attempt. An outage ends when a handler succeeds, or when
 * none has failed for `toleranceMs`.
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
      tap(() => this.noteSuccess(attemptedAt)),
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

  /** An attempt that began before the outage does not show that the outage is over: Postgres may have answered before the outage. */
  private noteSuccess(attemptedAt: number): void {
    if (this.outage && attemptedAt > this.outage.since) this.outage = undefined;
  }

  /** Returns whether to try again. */
  private noteFailure(error: unknown, began: number): boolean {
    if (!isConnectionError(error) || isPoolExhausted(error)) return false;
    const now = performance.now();
    // If the last failure was long ago, this one begins a new outage.
    const since = this.outage && now - this.outage.lastSeen < toleranceMs ? this.outage.since : now;
    this.outage = { since, lastSeen: now };
    return now - Math.min(since, began) < toleranceMs;
  }
}
