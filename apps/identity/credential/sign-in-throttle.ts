import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { Clock, secondsAfter } from '../clock.js';

/** A person who mistypes is not made to wait. */
const FREE_FAILURES = 5;
/** The delay doubles from one second up to this; nobody is ever locked out for longer. */
const MAX_DELAY_SECONDS = 15 * 60;
/** After this long without an attempt the count starts anew. */
export const FORGET_AFTER_SECONDS = 24 * 60 * 60;

/**
 * Slows down guessing one account's password from one address, whether or not the account exists. Kept in
 * Postgres, so that all replicas count together. An attempt counts before its hash is computed and is taken back
 * when it succeeds: guesses sent in parallel cannot outrun the count.
 */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Counts an attempt as failed until `succeeded` or `notTried` says otherwise. Throws RATE_LIMITED. */
  async admit(emailNormalized: string, address: string): Promise<void> {
    const key = keyOf(emailNormalized, address);
    const now = this.clock.now();
    const admitted: unknown[] = await this.dataSource.query(
      `INSERT INTO sign_in_attempts AS attempt (key, failures, last_attempt_at, blocked_until)
       VALUES ($1, 1, $2, $2)
       ON CONFLICT (key) DO UPDATE SET
         failures = CASE WHEN attempt.last_attempt_at <= $3 THEN 1 ELSE attempt.failures + 1 END,
         last_attempt_at = $2,
         blocked_until = $2::timestamptz + make_interval(secs => CASE
           WHEN attempt.last_attempt_at <= $3 OR attempt.failures + 1 < $4 THEN 0
           ELSE LEAST($5, power(2, LEAST(attempt.failures + 1 - $4, 30))) END)
       WHERE attempt.blocked_until <= $2
       RETURNING key`,
      [key, now, secondsAfter(now, -FORGET_AFTER_SECONDS), FREE_FAILURES, MAX_DELAY_SECONDS],
    );
    if (admitted.length > 0) return;
    const [attempt] = await this.dataSource.query<{ blocked_until: Date }[]>(
      `SELECT blocked_until FROM sign_in_attempts WHERE key = $1`,
      [key],
    );
    const wait = attempt ? (attempt.blocked_until.getTime() - now.getTime()) / 1000 : 0;
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(wait)) });
  }

  /** The password was right: the count starts anew. */
  async succeeded(emailNormalized: string, address: string): Promise<void> {
    await this.dataSource.query(`DELETE FROM sign_in_attempts WHERE key = $1`, [
      keyOf(emailNormalized, address),
    ]);
  }

  /** The password was never looked at (no capacity): the attempt does not count. */
  async notTried(emailNormalized: string, address: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sign_in_attempts SET failures = failures - 1, blocked_until = $2 WHERE key = $1`,
      [keyOf(emailNormalized, address), this.clock.now()],
    );
  }
}

function keyOf(emailNormalized: string, address: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([emailNormalized, address]))
    .digest();
}
