import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { sha256 } from '#libs/database';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { blockedError, countFailureSql, firstDelayedFailure } from './failure-delay.js';

/**
 * Slows down guessing one account's password from one client network, whether or not the account exists. The count is kept outside of transactions,
 * so that a failure counts whatever becomes of the request. The e-mail address is hashed, because people may type anything there, even a
 * password. There is no entity: a failure has to be counted by a single statement.
 *
 * `check`, the verification and `countFailure` must be one task in the queue of `PasswordHasher`. Then parallel guesses cannot outrun the count: no
 * more are in progress than hashes are computed at the same time.
 */
@Injectable()
export class SignInAttemptRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Throws RATE_LIMITED during the delay after the last failure. The first failures cause no delay. */
  async check(emailNormalized: string, ipAddress: string): Promise<void> {
    const now = this.clock.now();
    // Each of the first failures sets `blocked_until` to its own time, but must not block a concurrent attempt that began before that time.
    const [attempt] = await this.dataSource.sql<{ blocked_until: Date }[]>`
      SELECT blocked_until FROM sign_in_attempts
      WHERE email_hash = ${sha256(emailNormalized)} AND address = ${clientNetwork(ipAddress)}
        AND failures >= ${firstDelayedFailure} AND blocked_until > ${now}`;
    if (attempt) throw blockedError(attempt.blocked_until, now);
  }

  async countFailure(emailNormalized: string, ipAddress: string): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.sql`
      INSERT INTO sign_in_attempts AS attempt (email_hash, address, failures, last_attempt_at, blocked_until)
      VALUES (${sha256(emailNormalized)}, ${clientNetwork(ipAddress)}, 1, ${now}, ${now})
      ON CONFLICT (email_hash, address) DO UPDATE SET ${countFailureSql}`;
  }

  async reset(emailNormalized: string, ipAddress: string): Promise<void> {
    await this.dataSource.sql`
      DELETE FROM sign_in_attempts
      WHERE email_hash = ${sha256(emailNormalized)} AND address = ${clientNetwork(ipAddress)}`;
  }

  /** For a password that was reset, or an account that is deleted. */
  async resetEverywhere(tx: EntityManager, emailNormalized: string): Promise<void> {
    await tx.sql`DELETE FROM sign_in_attempts WHERE email_hash = ${sha256(emailNormalized)}`;
  }
}
