import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Actor, type Client, DomainError } from '#libs/contracts';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { type Credential, CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { SessionService } from '../session/session.service.js';

/** Proof that the caller is the account's owner, and not somebody at an unlocked computer. */
export interface OwnershipProof {
  accountId: string;
  sessionId: string;
  credential: Credential;
}

/**
 * Checks before a sensitive change that the caller owns the account: by the password, or by a fresh sign-in if the account has no password. An
 * account with a second factor needs a fresh sign-in as well, so that a stolen session and a guessed password are not enough. `ConfirmationService`
 * makes a session fresh. Hashing takes time, so it happens before the transaction. In the transaction, `lockAccountIfPasswordUnchanged` checks that
 * the password has not changed since.
 */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactorService,
    private readonly sessions: SessionService,
  ) {}

  /** Throws INVALID_INPUT (`currentPassword`), FRESH_SIGN_IN_REQUIRED, SESSION_ENDED, RATE_LIMITED, OVERLOADED. */
  async prove(actor: Actor, currentPassword: string | undefined, client: Client): Promise<OwnershipProof> {
    const { accountId, sessionId } = personOf(actor);
    const { emailNormalized } = await this.accounts.getOwn(actor);
    const credential = await this.credentials.findByEmail(emailNormalized);
    // Between the two queries, the account was deleted or got another address.
    if (credential?.accountId !== accountId) throw new DomainError('SESSION_ENDED');
    const { passwordHash } = credential;
    const needsFreshSignIn =
      passwordHash === null || (await this.factors.hasAny(this.dataSource.manager, accountId));
    if (needsFreshSignIn && !(await this.sessions.isFresh(sessionId)))
      throw new DomainError('FRESH_SIGN_IN_REQUIRED');
    if (passwordHash !== null) {
      if (currentPassword === undefined) throw invalidPassword('Password is Required');
      const throttleKey: [string, string] = [emailNormalized, client.address];
      if (!(await this.passwords.verifyThrottled(passwordHash, currentPassword, throttleKey)))
        throw invalidPassword('Incorrect password');
    }
    return { accountId, sessionId, credential };
  }

  /** Locks the account until the transaction ends. Throws SESSION_ENDED if the password has changed since the proof. */
  async lockAccountIfPasswordUnchanged(
    tx: EntityManager,
    { credential }: OwnershipProof,
    actor: Actor,
  ): Promise<AccountEntity> {
    const account = await this.accounts.lockOwn(tx, actor);
    const unchanged =
      credential.passwordHash === null
        ? (await this.credentials.findHash(tx, account.id)) === null
        : await this.credentials.lockIfUnchanged(tx, credential);
    if (!unchanged) throw new DomainError('SESSION_ENDED');
    return account;
  }
}

function invalidPassword(message: string): DomainError {
  return DomainError.invalid([{ field: 'currentPassword', message }]);
}
