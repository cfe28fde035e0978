import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { SignInAttemptRepository } from './sign-in-attempt.repository.js';

/**
 * Slows down guessing one account's password from one client network, whether or not the account exists. All replicas count together, in
 * Postgres.
 *
 * Parallel guesses do not outrun the count as long as `check`, the verification and `countFailure` share one place in the queue of
 * `PasswordHasher.verify`: then only as many are under way as hashes are computed at once.
 */
@Injectable()
export class SignInThrottle {
  constructor(
    private readonly attempts: SignInAttemptRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws RATE_LIMITED during the delay after the last failure. */
  async check(emailNormalized: string, address: string): Promise<void> {
    const blockedUntil = await this.attempts.findBlockedUntil(emailNormalized, clientNetwork(address));
    const waitMs = (blockedUntil?.getTime() ?? 0) - this.clock.now().getTime();
    if (waitMs > 0) throw new DomainError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }

  async countFailure(emailNormalized: string, address: string): Promise<void> {
    await this.attempts.countFailure(emailNormalized, clientNetwork(address), this.clock.now());
  }

  /** The count of this network starts again. */
  async reset(emailNormalized: string, address: string): Promise<void> {
    await this.attempts.delete(emailNormalized, clientNetwork(address));
  }

  /** The count of every network starts again, because the password has changed. */
  async resetEverywhere(tx: EntityManager, emailNormalized: string): Promise<void> {
    await this.attempts.deleteEverywhere(tx, emailNormalized);
  }
}
