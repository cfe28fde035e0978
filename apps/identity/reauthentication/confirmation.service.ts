import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Actor, DomainError, type HandlerInput, type secondFactorContract } from '#libs/contracts';
import { AccountEntity } from '../account/account.entity.js';
import { personOf } from '../account/person.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { PasskeyService } from '../passkey/passkey.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { SessionService } from '../session/session.service.js';

/**
 * Makes a session a fresh one by proving again who its person is, as fully as at the sign-in: the password, together with a code where there is an
 * authenticator app; or a passkey. (Google does it by its own way back.) Needs no inbox: what was proved twice is proved.
 */
@Injectable()
export class ConfirmationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionService,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactorService,
    private readonly passkeys: PasskeyService,
  ) {}

  /** See `secondFactorContract.confirm`. */
  async confirm(
    { password, code, passkey, client }: HandlerInput<typeof secondFactorContract.confirm>,
    actor: Actor,
  ): Promise<{ confirmed: true }> {
    const { accountId, sessionId } = personOf(actor);
    if (passkey) {
      await this.sessions.confirm(sessionId, async (tx) => {
        await this.passkeys.use(tx, passkey, { purpose: 'confirm', accountId });
        return true;
      });
      return { confirmed: true };
    }
    if (password === undefined) throw missing('password', 'Password is Required');
    await this.requirePassword(accountId, password, client.address);
    const methods = await this.factors.methodsOf(this.dataSource.manager, accountId);
    if (methods.length > 0 && code === undefined)
      throw missing('code', 'Enter the 6-digit code from your app, or a recovery code');
    const checked = code === undefined ? undefined : await this.factors.check(accountId, code);
    await this.sessions.confirm(sessionId, async (tx) => {
      if (checked) await this.factors.use(tx, accountId, checked);
      return true;
    });
    return { confirmed: true };
  }

  private async requirePassword(accountId: string, password: string, address: string): Promise<void> {
    const account = await this.dataSource.manager.findOneBy(AccountEntity, { id: accountId });
    if (!account) throw new DomainError('SESSION_ENDED');
    const hash = await this.credentials.hashOf(this.dataSource.manager, accountId);
    const matches = await this.passwords.matches(hash, password, [account.emailNormalized, address]);
    if (!matches) throw missing('password', 'Incorrect password');
  }
}

function missing(field: string, message: string): DomainError {
  return DomainError.invalid([{ field, message }]);
}
