import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { toDomainError } from './connection-error.js';

/** Handlers may query without a transaction, too: a Postgres that is gone reaches every caller as UNAVAILABLE. */
export class DatabaseErrors implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => toDomainError(error))));
  }
}
