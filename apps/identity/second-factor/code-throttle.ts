import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';

const FREE_FAILURES = 5;
const MAX_DELAY_SECONDS = 15 * 60;
const FORGET_AFTER_SECONDS = 24 * 60 * 60;

/**
 * Slows down guessing somebody's code, from wherever: whoever guesses it knows the password. Each attempt is counted before the code is looked
 * at, in one statement, so that guesses sent in parallel do not outrun the count; a right one forgets it.
 */
@Injectable()
export class CodeThrottle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt. Throws RATE_LIMITED while the last failure's delay runs. */
  async attempt(accountId: string): Promise<void> {
    const now = this.clock.now();
    const counted = await this.dataSource.query<unknown[]>(
      `INSERT INTO second_factor_attempts AS attempt (account_id, failures, last_attempt_at, blocked_until)
       VALUES ($1, 1, $2, $2)
       ON CONFLICT (account_id) DO UPDATE SET
         failures = CASE WHEN attempt.last_attempt_at <= $3 THEN 1 ELSE attempt.failures + 1 END,
         last_attempt_at = $2,
         blocked_until = $2::timestamptz + make_interval(secs => CASE
           WHEN attempt.last_attempt_at <= $3 OR attempt.failures + 1 < $4 THEN 0
           ELSE LEAST($5, power(2, LEAST(attempt.failures + 1 - $4, 30))) END)
       WHERE attempt.blocked_until <= $2
       RETURNING 1`,
      [accountId, now, secondsAfter(now, -FORGET_AFTER_SECONDS), FREE_FAILURES, MAX_DELAY_SECONDS],
    );
    if (counted.length > 0) return;
    const [row] = await this.dataSource.query<{ blocked_until: Date }[]>(
      `SELECT blocked_until FROM second_factor_attempts WHERE account_id = $1`,
      [accountId],
    );
    const waitMs = (row?.blocked_until ?? now).getTime() - now.getTime();
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  /** The code was right, in the caller's transaction. */
  async forget(tx: EntityManager, accountId: string): Promise<void> {
    await tx.query(`DELETE FROM second_factor_attempts WHERE account_id = $1`, [accountId]);
  }
}
