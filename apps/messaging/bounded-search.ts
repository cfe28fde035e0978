import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { isTooSlow } from '#libs/database';

/** Of each statement, in milliseconds. One or two letters are in no trigram, so a search for them reads everything. */
const timeoutMs = 5000;

/**
 * Runs what reads a list: within a bound of its own when it is a search, since those can take long. UNAVAILABLE when it did.
 */
export async function boundedSearch<T>(
  dataSource: DataSource,
  search: string | undefined,
  read: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  if (!search) return read(dataSource.manager);
  try {
    return await dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      return read(tx);
    });
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    const message = 'This search took too long. Enter at least three letters.';
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 }, message);
  }
}
