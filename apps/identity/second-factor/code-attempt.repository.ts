import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '#libs/runtime';
import { blockedError, countFailureSql, firstDelayedFailure } from '../credential/failure-delay.js';

/**
 * Slows down guessing somebody's code. Attempts from all networks count together: outsiders cannot make the owner wait, because a code can be entered
 * only after the password, a sign-in at Google or a passkey. The table has no entity, because counting an attempt and checking whether one is allowed
 * have to be a single statement, so that parallel guesses do not outrun the count.
 */
@Injectable()
export class CodeAttemptRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt as a failure, before its code is checked. Throws RATE_LIMITED during the delay after the last failure. */
  async recordAttempt(accountId: string): Promise<void> {
    const now = this.clock.now();
    const counted = await this.dataSource.sql<unknown[]>`
      INSERT INTO second_factor_attempts AS attempt (account_id, failures, last_attempt_at, blocked_until)
      VALUES (${accountId}, 1, ${now}, ${now})
      ON CONFLICT (account_id) DO UPDATE SET ${countFailureSql}
      WHERE attempt.failures < ${firstDelayedFailure} OR attempt.blocked_until <= EXCLUDED.last_attempt_at
      RETURNING 1`;
    if (counted.length > 0) return;
    const [attempt] = await this.dataSource.sql<{ blocked_until: Date }[]>`
      SELECT blocked_until FROM second_factor_attempts WHERE account_id = ${accountId}`;
    throw blockedError(attempt?.blocked_until ?? now, now);
  }

  /** Call it after a correct code. */
  async reset(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`DELETE FROM second_factor_attempts WHERE account_id = ${accountId}`;
  }
}
