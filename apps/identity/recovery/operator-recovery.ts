import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import { isAdminSql } from '../account/account-view.js';
import { normalizeEmail } from '../account/email.js';
import { Clock } from '../clock.js';
import { removeSecondFactors } from '../second-factor/remove-second-factors.js';
import { endSessionsOf } from '../session/end-sessions.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordHasher } from '../credential/password-hasher.js';
import { SignInThrottle } from '../credential/sign-in-throttle.js';

/** For whoever has the database in hand: a new password for somebody who cannot sign in any more. */
export class OperatorRecovery {
  private readonly credentials: CredentialRepository;
  private readonly throttle: SignInThrottle;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {
    this.credentials = new CredentialRepository(dataSource, hasher, clock);
    this.throttle = new SignInThrottle(dataSource, clock);
  }

  /** The addresses of those who are admins now. */
  async admins(): Promise<string[]> {
    const rows = await this.dataSource.query<{ email: string }[]>(
      `SELECT a.email FROM accounts a WHERE ${isAdminSql} ORDER BY a.created_at`,
    );
    return rows.map(({ email }) => email);
  }

  /** Whether the account had second factors, which it has no more; null if nobody has this address. */
  async removeSecondFactors(email: string): Promise<boolean | null> {
    const credential = await this.credentials.find(normalizeEmail(email));
    if (!credential) return null;
    return transaction(this.dataSource, (tx) => removeSecondFactors(tx, credential.accountId));
  }

  /** Sets a random password, ends all sessions, and returns the password; null if nobody has this address. */
  async reset(email: string): Promise<string | null> {
    const emailNormalized = normalizeEmail(email);
    const credential = await this.credentials.find(emailNormalized);
    if (!credential) return null;
    const { accountId } = credential;
    const password = randomBytes(15).toString('base64url');
    const passwordHash = await this.hasher.hash(password, accountId);
    await transaction(this.dataSource, async (tx) => {
      await this.credentials.set(tx, accountId, passwordHash);
      await endSessionsOf(tx, accountId, 'password-reset', this.clock.now());
      await this.throttle.forget(tx, emailNormalized);
    });
    return password;
  }
}
