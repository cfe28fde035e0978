import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { type Observable, retry, throwError, timer } from 'rxjs';
import { DomainError } from '#libs/contracts';
import { isConnectionError, isPoolExhausted, toDomainError } from './connection-error.js';

/** How long handlers wait for a Postgres that has gone: one that restarts, or is replaced, is mostly back by then. */
const patienceMs = 4_000;

/**
 * A lost connection is no failure yet: the handler runs again, which it must bear anyway, since a request whose replica died comes again
 * too. Queries do not mind, and commands go through the inbox. What lasts reaches every caller as UNAVAILABLE; once some have waited
 * in vain, nobody else does.
 */
export class DatabaseErrors implements NestInterceptor {
  private outage: { since: number; lastSeen: number } | undefined;

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const began = performance.now();
    return next.handle().pipe(
      retry({
        delay: (error: unknown, tries) =>
          this.mayPass(error, began)
            ? timer(Math.min(25 * 2 ** tries, 400) + Math.random() * 50)
            : throwError(() => toDomainError(error)),
      }),
    );
  }

  private mayPass(error: unknown, began: number): boolean {
    const reason = error instanceof DomainError ? error.cause : error;
    if (!isConnectionError(reason) || isPoolExhausted(reason)) return false;
    const now = performance.now();
    // What was seen long ago is another outage.
    const known = this.outage && now - this.outage.lastSeen < patienceMs ? this.outage.since : now;
    this.outage = { since: known, lastSeen: now };
    return now - Math.min(known, began) < patienceMs;
  }
}
