import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { isStatementTimeout } from './database-errors.js';

export interface SearchBounds {
  /** For each statement. Default 5 000 ms. */
  timeoutMs?: number;
  /** The last sentence of the error, which people read. */
  advice?: string;
}

/**
 * Reads a list. In a search, each statement may take `timeoutMs` at most, because one or two letters mean reading every row. Throws UNAVAILABLE when
 * it takes longer.
 */
export async function boundedSearch<T>(
  dataSource: DataSource,
  search: string | undefined,
  read: (manager: EntityManager) => Promise<T>,
  { timeoutMs = 5000, advice = 'Enter at least three letters.' }: SearchBounds = {},
): Promise<T> {
  if (!search) return read(dataSource.manager);
  try {
    return await dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
      return read(tx);
    });
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new DomainError('UNAVAILABLE', { retryAfterSeconds: 1 }, `This search took too long. ${advice}`);
  }
}
