import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { type Credential, CredentialRepository } from './credential.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordPolicy } from './password-policy.js';
import { SignInAttemptRepository } from './sign-in-attempt.repository.js';

/** Counts every wrong password. Only `RegistrationService` checks a password without counting, when a completed registration is repeated. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly hasher: PasswordHasher,
    private readonly policy: PasswordPolicy,
    private readonly attempts: SignInAttemptRepository,
  ) {}

  /**
   * Refuses a weak password, such as the person's `email` or a part of it. Requesters take turns (`PasswordHasher.hash`). Throws INVALID_INPUT,
   * WEAK_PASSWORD, OVERLOADED.
   */
  async hashNew(password: string, email: string, requester: string): Promise<string> {
    await this.policy.check(password, email);
    return this.hasher.hash(password, requester);
  }

  /** A wrong password is counted; a right one resets the count. False without a hash, after the same work. Throws RATE_LIMITED, OVERLOADED. */
  async verifyThrottled(
    passwordHash: string | null,
    password: string,
    throttleKey: [emailNormalized: string, ipAddress: string],
  ): Promise<boolean> {
    // Also checked before the queue, so that a client whose delay is not over takes no place in it.
    await this.attempts.check(...throttleKey);
    return this.hasher.verify(passwordHash, password, clientNetwork(throttleKey[1]), {
      before: () => this.attempts.check(...throttleKey),
      after: (verified) =>
        verified ? this.attempts.reset(...throttleKey) : this.attempts.countFailure(...throttleKey),
    });
  }

  /** Call it at a sign-in, when the password is known. */
  async rehashIfOutdated(credential: Credential, password: string, ipAddress: string): Promise<void> {
    const { passwordHash } = credential;
    if (passwordHash === null || !this.hasher.isOutdated(passwordHash)) return;
    try {
      const renewed = await this.hasher.hash(password, clientNetwork(ipAddress));
      await this.credentials.replaceHash(credential, renewed);
    } catch (error) {
      // The next sign-in tries again.
      if (!(error instanceof DomainError && error.code === 'OVERLOADED')) throw error;
    }
  }
}
