import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type Actor, type Client, DomainError } from '#libs/contracts';
import { AccountEntity } from '../account/account.entity.js';
import { lockAccount } from '../account/lock-account.js';
import { personOf } from '../account/person.js';
import { Clock } from '../clock.js';
import { type Credential, CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { FRESH_SIGN_IN_SECONDS, isFreshSignIn } from '../session/fresh-sign-in.js';

/** That a person has proved, just now, to be the account's owner and not somebody at their unlocked screen. */
export interface Ownership {
  accountId: string;
  sessionId: string;
  credential: Credential;
}

/**
 * What a sensitive change asks for: the current password, or a fresh sign-in for an account that has none. An account with a second factor needs
 * both, so that a stolen session and a guessed password are not enough. The proof is made before the transaction, because hashing takes time;
 * `claim` then checks in the transaction that nothing has changed since.
 */
@Injectable()
export class OwnershipService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactorService,
    private readonly clock: Clock,
    @Inject(FRESH_SIGN_IN_SECONDS) private readonly freshSeconds: number,
  ) {}

  /** Throws INVALID_INPUT (`currentPassword`), FRESH_SIGN_IN_REQUIRED, SESSION_ENDED, RATE_LIMITED, OVERLOADED. */
  async prove(actor: Actor, currentPassword: string | undefined, client: Client): Promise<Ownership> {
    const { accountId, sessionId } = personOf(actor);
    const account = await this.dataSource.manager.findOneBy(AccountEntity, { id: accountId });
    if (!account) throw new DomainError('SESSION_ENDED');
    const credential = await this.credentials.find(account.emailNormalized);
    if (credential?.accountId !== accountId) throw new DomainError('SESSION_ENDED');
    const { manager } = this.dataSource;
    const hasSecondFactor = (await this.factors.methodsOf(manager, accountId)).length > 0;
    if (hasSecondFactor || credential.passwordHash === null) {
      const fresh = await isFreshSignIn(manager, sessionId, {
        now: this.clock.now(),
        seconds: this.freshSeconds,
      });
      if (!fresh) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
    }
    if (credential.passwordHash !== null) {
      if (currentPassword === undefined) throw refused('Password is Required');
      const where: [string, string] = [account.emailNormalized, client.address];
      const matches = await this.passwords.matches(credential.passwordHash, currentPassword, where);
      if (!matches) throw refused('Incorrect password');
    }
    return { accountId, sessionId, credential };
  }

  /** The account, locked in the caller's transaction. Throws SESSION_ENDED when its password has become another one since the proof. */
  async claim(tx: EntityManager, { credential }: Ownership, actor: Actor): Promise<AccountEntity> {
    const account = await lockAccount(tx, actor);
    const unchanged =
      credential.passwordHash === null
        ? (await this.credentials.hashOf(tx, account.id)) === null
        : await this.credentials.lockIfUnchanged(tx, credential);
    if (!unchanged) throw new DomainError('SESSION_ENDED');
    return account;
  }
}

function refused(message: string): DomainError {
  return DomainError.invalid([{ field: 'currentPassword', message }]);
}
