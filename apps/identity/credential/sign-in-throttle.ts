import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock, secondsAfter } from '../clock.js';
import { SignInAttemptEntity } from './sign-in-attempt.entity.js';

/** A person who mistypes is not made to wait. */
const FREE_FAILURES = 5;
/** The delay doubles from one second up to this; nobody is ever locked out for longer. */
const MAX_DELAY_SECONDS = 15 * 60;
/** After this long without an attempt the count starts anew. */
export const FORGET_AFTER_SECONDS = 24 * 60 * 60;

/**
 * Slows down guessing one account's password from one client network, whether or not the account exists. Kept in
 * Postgres, so that all replicas count together.
 *
 * Guesses sent in parallel do not outrun the count where `check`, the verification and `failed` happen in one
 * turn of `PasswordHasher.verify`: then no more are under way than hashes can be computed at once.
 */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Throws RATE_LIMITED while the last failure's delay runs. */
  async check(emailNormalized: string, address: string): Promise<void> {
    const now = this.clock.now();
    const [attempt] = await this.dataSource.query<{ blocked_until: Date }[]>(
      `SELECT blocked_until FROM sign_in_attempts WHERE email_hash = $1 AND address = $2 AND blocked_until > $3`,
      [hashOf(emailNormalized), clientNetwork(address), now],
    );
    if (!attempt) return;
    const waitMs = attempt.blocked_until.getTime() - now.getTime();
    throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  async failed(emailNormalized: string, address: string): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(
      `INSERT INTO sign_in_attempts AS attempt (email_hash, address, failures, last_attempt_at, blocked_until)
       VALUES ($1, $6, 1, $2, $2)
       ON CONFLICT (email_hash, address) DO UPDATE SET
         failures = CASE WHEN attempt.last_attempt_at <= $3 THEN 1 ELSE attempt.failures + 1 END,
         last_attempt_at = $2,
         blocked_until = $2::timestamptz + make_interval(secs => CASE
           WHEN attempt.last_attempt_at <= $3 OR attempt.failures + 1 < $4 THEN 0
           ELSE LEAST($5, power(2, LEAST(attempt.failures + 1 - $4, 30))) END)`,
      [
        hashOf(emailNormalized),
        now,
        secondsAfter(now, -FORGET_AFTER_SECONDS),
        FREE_FAILURES,
        MAX_DELAY_SECONDS,
        clientNetwork(address),
      ],
    );
  }

  /** The count starts anew. */
  async succeeded(emailNormalized: string, address: string): Promise<void> {
    await this.dataSource.query(`DELETE FROM sign_in_attempts WHERE email_hash = $1 AND address = $2`, [
      hashOf(emailNormalized),
      clientNetwork(address),
    ]);
  }

  /** The count starts anew everywhere, in the caller's transaction: the password is another one now. */
  async forget(tx: EntityManager, emailNormalized: string): Promise<void> {
    await tx.delete(SignInAttemptEntity, { emailHash: hashOf(emailNormalized) });
  }
}

function hashOf(emailNormalized: string): Buffer {
  return createHash('sha256').update(emailNormalized).digest();
}
