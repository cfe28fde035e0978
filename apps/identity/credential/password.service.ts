import { Injectable } from '@nestjs/common';
import { clientNetwork } from '#libs/platform';
import { PasswordHasher } from './password-hasher.js';
import { SignInThrottle } from './sign-in-throttle.js';

/** Verifies passwords, wherever one is asked for: each wrong one counts against the same account and network address. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly throttle: SignInThrottle,
  ) {}

  /** Whether it is the password. The same work without a hash (no such account, or none with a password). Throws RATE_LIMITED, OVERLOADED. */
  async matches(
    passwordHash: string | null,
    password: string,
    where: [emailNormalized: string, address: string],
  ): Promise<boolean> {
    // Checked here as well, so that who must wait takes nobody's place in the queue.
    await this.throttle.check(...where);
    return this.hasher.verify(passwordHash, password, clientNetwork(where[1]), {
      before: () => this.throttle.check(...where),
      after: (verified) => (verified ? this.throttle.succeeded(...where) : this.throttle.failed(...where)),
    });
  }
}
