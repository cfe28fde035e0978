import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { isConflictError, toDomainError } from './database-errors.js';

export interface TransactionOptions {
  /** Postgres' default is READ COMMITTED. */
  isolation?: 'REPEATABLE READ' | 'SERIALIZABLE';
  /** Default 5. */
  attempts?: number;
}

/**
 * Runs `work` in one transaction. On a serialization failure or a deadlock everything is rolled back and `work` runs again, so it must do nothing but
 * use `tx`: no other connection, no network, no state outside.
 *
 * Throws what `work` throws, or UNAVAILABLE if Postgres is gone or too slow, or the conflicts do not end. A connection that is lost during
 * COMMIT leaves open whether the work took effect; only work inside `Inbox.once` or `Inbox.consume` can then be repeated safely.
 */
export async function transaction<T>(
  dataSource: DataSource,
  work: (tx: EntityManager) => Promise<T>,
  { isolation, attempts = 5 }: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      // To name the default isolation level would cost a round trip.
      return await (isolation ? dataSource.transaction(isolation, work) : dataSource.transaction(work));
    } catch (error) {
      if (!isConflictError(error) || attempt >= attempts) throw toDomainError(error);
      // Jitter, so that the same transactions do not collide again.
      await pause(Math.random() * 10 * 2 ** attempt);
    }
  }
}
