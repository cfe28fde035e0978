import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { transaction } from '#libs/database';
import type { Clock } from '#libs/runtime';
import { AccountRepository } from '../account/account.repository.js';
import { normalizeEmail } from '../account/email.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import type { PasswordHasher } from '../credential/password-hasher.js';
import { SignInAttemptRepository } from '../credential/sign-in-attempt.repository.js';
import { MailedLinkRepository } from '../link/mailed-link.repository.js';
import { SecondFactorRepository } from '../second-factor/second-factor.repository.js';
import { SessionRepository } from '../session/session.repository.js';

/** Lets an operator with access to the database reset an account's password, or remove its second factor. */
export class OperatorRecovery {
  private readonly accounts: AccountRepository;
  private readonly credentials: CredentialRepository;
  private readonly attempts: SignInAttemptRepository;
  private readonly links = new MailedLinkRepository();
  private readonly sessions: SessionRepository;
  private readonly secondFactors: SecondFactorRepository;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {
    this.accounts = new AccountRepository(dataSource, clock);
    this.credentials = new CredentialRepository(dataSource, clock);
    this.attempts = new SignInAttemptRepository(dataSource, clock);
    this.sessions = new SessionRepository(dataSource);
    this.secondFactors = new SecondFactorRepository(dataSource);
  }

  listAdminEmails(): Promise<string[]> {
    return this.accounts.listAdminEmails();
  }

  /** Returns whether the account had a second factor; null for an unknown address. */
  async removeSecondFactors(email: string): Promise<boolean | null> {
    const account = await this.accounts.findByEmail(this.dataSource.manager, email);
    return account && transaction(this.dataSource, (tx) => this.secondFactors.deleteAll(tx, account.id));
  }

  /**
   * Returns a random password; null for an unknown address. Ends all sessions, and revokes mailed links for a new password or a change of address.
   */
  async resetPassword(email: string): Promise<string | null> {
    const account = await this.accounts.findByEmail(this.dataSource.manager, email);
    if (!account) return null;
    const password = randomBytes(15).toString('base64url');
    const passwordHash = await this.hasher.hash(password, account.id);
    await transaction(this.dataSource, async (tx) => {
      const now = this.clock.now();
      // Waits for transactions that are creating mailed links, so that those links are revoked too.
      await this.accounts.lock(tx, { id: account.id });
      await this.credentials.set(tx, account.id, passwordHash);
      // Somebody else may already have such a link. It works without a session, so they could still take over the account.
      await this.links.revoke(tx, account.id, ['reset-password', 'change-email'], now);
      await this.sessions.endAll(tx, account.id, { reason: 'password-reset', now });
      await this.attempts.resetEverywhere(tx, normalizeEmail(email));
    });
    return password;
  }
}
