import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { countFailureSql } from '../credential/failure-delay.js';

/**
 * Attempts to guess a code, by account. The table has no entity: counting an attempt and checking whether one is allowed has to be a single
 * statement, so that guesses sent in parallel do not outrun the count.
 */
@Injectable()
export class CodeAttemptRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts an attempt as a failure. Returns false, and counts nothing, during the delay after the last one. */
  async count(accountId: string, now: Date): Promise<boolean> {
    const counted = await this.dataSource.sql<unknown[]>`
      INSERT INTO second_factor_attempts AS attempt (account_id, failures, last_attempt_at, blocked_until)
      VALUES (${accountId}, 1, ${now}, ${now})
      ON CONFLICT (account_id) DO UPDATE SET ${countFailureSql}
      WHERE attempt.blocked_until <= EXCLUDED.last_attempt_at
      RETURNING 1`;
    return counted.length > 0;
  }

  async findBlockedUntil(accountId: string): Promise<Date | null> {
    const [row] = await this.dataSource.sql<{ blocked_until: Date }[]>`
      SELECT blocked_until FROM second_factor_attempts WHERE account_id = ${accountId}`;
    return row?.blocked_until ?? null;
  }

  async delete(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`DELETE FROM second_factor_attempts WHERE account_id = ${accountId}`;
  }
}
