import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Actor, DomainError, type HandlerInputs, secondFactorContract } from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { CredentialRepository } from '../credential/credential.repository.js';
import { PasswordService } from '../credential/password.service.js';
import { PasskeyService } from '../passkey/passkey.service.js';
import { type CheckedCode, SecondFactorService } from '../second-factor/second-factor.service.js';
import { SessionService } from '../session/session.service.js';

type Input = HandlerInputs<typeof secondFactorContract>;

/** Makes a session fresh. Requires a passkey; or the password and, if the account has a second factor, a code. (Google has a flow of its own.) */
@Injectable()
export class ConfirmationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly passwords: PasswordService,
    private readonly factors: SecondFactorService,
    private readonly passkeys: PasskeyService,
    private readonly sessions: SessionService,
  ) {}

  @Handles(secondFactorContract.confirmSignIn)
  async confirm(input: Input['confirmSignIn'], context: RequestContext) {
    const { accountId, sessionId } = personOf(context.actor);
    const { passkey } = input;
    // A completed request that is delivered again is not checked again: its code or challenge is used up.
    if (await this.inbox.findReply(context)) return { confirmed: true as const };
    const checkedCode = passkey ? undefined : await this.checkPasswordAndCode(input, context.actor);
    return this.sessions.reauthenticate(context, sessionId, async (tx) => {
      if (passkey) await this.passkeys.verify(tx, passkey, { purpose: 'confirm', accountId });
      if (checkedCode) await this.factors.useCode(tx, accountId, checkedCode);
      return { confirmed: true as const };
    });
  }

  /** Returns the code, for `useCode`; undefined if the account has no second factor. */
  private async checkPasswordAndCode(
    { password, code, client }: Input['confirmSignIn'],
    actor: Actor,
  ): Promise<CheckedCode | undefined> {
    const { accountId } = personOf(actor);
    if (password === undefined) throw invalid('password', 'Password is Required');
    await this.checkPassword(actor, password, client.address);
    if (code !== undefined) return this.factors.checkCode(accountId, code);
    const methods = await this.factors.methodsOf(this.dataSource.manager, accountId);
    if (methods.includes('totp'))
      throw invalid('code', 'Enter the 6-digit code from your app, or a recovery code');
    if (methods.length > 0) throw invalid('code', 'Use your passkey, or enter a recovery code');
    return undefined;
  }

  private async checkPassword(actor: Actor, password: string, ipAddress: string): Promise<void> {
    const { id, emailNormalized } = await this.accounts.getOwn(actor);
    const hash = await this.credentials.findHash(this.dataSource.manager, id);
    const matches = await this.passwords.verifyThrottled(hash, password, [emailNormalized, ipAddress]);
    if (!matches) throw invalid('password', 'Incorrect password');
  }
}

function invalid(field: string, message: string): DomainError {
  return DomainError.invalid([{ field, message }]);
}
