import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { sha256 } from '../core/tokens.js';
import { blockedUntil, countFailureSql } from './failure-delay.js';
import { SignInAttemptEntity } from './sign-in-attempt.entity.js';

/**
 * Slows down guessing one account's password from one client network, whether or not the account exists. All replicas count together, and
 * outside of transactions, so that a failure counts whatever becomes of the request.
 *
 * Parallel guesses do not outrun the count as long as `check`, the verification and `countFailure` share one place in the queue of
 * `PasswordHasher.verify`: then only as many are under way as hashes are computed at once.
 */
@Injectable()
export class SignInAttemptRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Throws RATE_LIMITED during the delay after the last failure. */
  async check(emailNormalized: string, address: string): Promise<void> {
    const now = this.clock.now();
    const attempt = await this.dataSource.manager.findOneBy(
      SignInAttemptEntity,
      keyOf(emailNormalized, address),
    );
    if (attempt && attempt.blockedUntil > now) throw blockedUntil(attempt.blockedUntil, now);
  }

  async countFailure(emailNormalized: string, address: string): Promise<void> {
    const now = this.clock.now();
    const key = keyOf(emailNormalized, address);
    await this.dataSource.sql`
      INSERT INTO sign_in_attempts AS attempt (email_hash, address, failures, last_attempt_at, blocked_until)
      VALUES (${key.emailHash}, ${key.address}, 1, ${now}, ${now})
      ON CONFLICT (email_hash, address) DO UPDATE SET ${countFailureSql}`;
  }

  /** The count of this network starts again. */
  async reset(emailNormalized: string, address: string): Promise<void> {
    await this.dataSource.manager.delete(SignInAttemptEntity, keyOf(emailNormalized, address));
  }

  /** The count of every network starts again, because the password has changed. */
  async resetEverywhere(tx: EntityManager, emailNormalized: string): Promise<void> {
    await tx.delete(SignInAttemptEntity, { emailHash: sha256(emailNormalized) });
  }
}

function keyOf(emailNormalized: string, address: string) {
  return { emailHash: sha256(emailNormalized), address: clientNetwork(address) };
}
