import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  broadcasts,
  DomainError,
  type HandlerInputs,
  type Output,
  type SecondFactorChange,
  secondFactorContract,
} from '#libs/contracts';
import { Inbox, type ReplyStorage } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import type { AccountEntity } from '../account/account.entity.js';
import { AccountRepository } from '../account/account.repository.js';
import { personOf } from '../account/person.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../config.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { BroadcastService } from '../core/broadcast.service.js';
import { fieldError } from '../core/field-error.js';
import { PasskeyService } from '../passkey/passkey.service.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';
import { RecoveryCodeService } from './recovery-code.service.js';
import { SecondFactorService } from './second-factor.service.js';
import { TotpFactorRepository } from './totp-factor.repository.js';
import { newTotpSecret, qrCodeOf, totpUri } from './totp.js';

type OutputFor<K extends keyof typeof secondFactorContract> = Output<(typeof secondFactorContract)[K]>;
type Input = HandlerInputs<typeof secondFactorContract>;
type AddedFactor<T> = { value: T; recoveryCodes: string[] | null };

/** See the `failures` in `secondFactorOperations` for the errors. */
@Injectable()
export class SecondFactorSetupService {
  constructor(
    private readonly inbox: Inbox,
    private readonly accounts: AccountRepository,
    private readonly factors: SecondFactorService,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodeService: RecoveryCodeService,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly passkeys: PasskeyService,
    private readonly mail: AccountMailService,
    private readonly broadcaster: BroadcastService,
    private readonly clock: Clock,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
  ) {}

  @Handles(secondFactorContract.getSecurity)
  getSecurity(_: object, { actor }: RequestContext): Promise<OutputFor<'getSecurity'>> {
    return this.factors.getSecurity(personOf(actor).accountId);
  }

  /** Replaces a secret that was never confirmed. */
  @Handles(secondFactorContract.beginTotp)
  beginTotp(_: object, context: RequestContext): Promise<OutputFor<'beginTotp'>> {
    const secret = newTotpSecret();
    return this.inbox.once<OutputFor<'beginTotp'>, object>(
      context,
      async (tx) => {
        const { id, email } = await this.accounts.lockOwn(tx, context.actor);
        if (!(await this.totpFactors.storeUnconfirmed(tx, id, secret, this.clock.now())))
          throw alreadySetUp();
        return this.totpView(secret, email);
      },
      {
        // The inbox does not store the secret a second time: a repeated request gets the one in the table.
        toStored: () => ({}),
        restore: async (_stored, tx) => {
          const { id, email } = await this.accounts.lockOwn(tx, context.actor);
          const stored = await this.totpFactors.findSecret(id, 'unconfirmed', tx);
          if (stored === null) throw alreadySetUp();
          return this.totpView(stored, email);
        },
      },
    );
  }

  @Handles(secondFactorContract.confirmTotp)
  async confirmTotp(
    { code }: Input['confirmTotp'],
    context: RequestContext,
  ): Promise<OutputFor<'confirmTotp'>> {
    const { accountId } = personOf(context.actor);
    // The code of a repeated request has been used, so it would be refused.
    if (await this.inbox.findReply(context)) return { recoveryCodes: null };
    const checkedCode = await this.factors.checkCode(accountId, code, 'unconfirmed');
    // A recovery code does not confirm an authenticator app.
    if (!('step' in checkedCode)) throw fieldError('INVALID_CODE', 'code');
    const added = await this.addFactor(context, 'totpAdded', async (tx) => {
      if (!(await this.totpFactors.confirm(tx, accountId, this.clock.now()))) throw alreadySetUp();
      await this.factors.useCode(tx, accountId, checkedCode);
    });
    return { recoveryCodes: added.recoveryCodes };
  }

  @Handles(secondFactorContract.removeTotp)
  removeTotp(_: object, context: RequestContext): Promise<OutputFor<'removeTotp'>> {
    return this.change(context, async (tx, account) => {
      const removed = await this.totpFactors.delete(tx, account.id);
      if (removed) await this.afterRemoval(tx, account, 'totpRemoved');
      return { removed };
    });
  }

  @Handles(secondFactorContract.renewRecoveryCodes)
  async renewRecoveryCodes(_: object, context: RequestContext): Promise<OutputFor<'renewRecoveryCodes'>> {
    const generated = await this.recoveryCodeService.generate(personOf(context.actor).accountId);
    const { codes } = await this.inbox.once<{ codes: string[] }, object>(
      context,
      async (tx) => {
        const account = await this.accounts.lockOwn(tx, context.actor);
        if (!(await this.factors.hasAny(tx, account.id)))
          throw new DomainError(
            'INVALID_TRANSITION',
            {},
            'Set up a second factor before you create recovery codes.',
          );
        await this.recoveryCodes.replace(tx, account.id, generated);
        await this.mailAboutChange(tx, account, 'recoveryCodesRenewed');
        return generated;
      },
      {
        toStored: () => ({}),
        // Only hashes of the codes are stored, and the first answer may have arrived: its codes must stay valid.
        restore: () => {
          throw new DomainError(
            'INVALID_TRANSITION',
            {},
            'Your recovery codes were replaced, but we can’t show the new ones again. Replace them once more.',
          );
        },
      },
    );
    return { recoveryCodes: codes };
  }

  @Handles(secondFactorContract.beginPasskey)
  async beginPasskey(_: object, { actor }: RequestContext): Promise<OutputFor<'beginPasskey'>> {
    const account = await this.accounts.getOwn(actor);
    return { options: await this.passkeys.issueCreationOptions(account) };
  }

  @Handles(secondFactorContract.createPasskey)
  async addPasskey({ passkey, name }: Input['createPasskey'], context: RequestContext) {
    const { accountId } = personOf(context.actor);
    const { value, recoveryCodes } = await this.addFactor(context, 'passkeyAdded', (tx) =>
      this.passkeys.add(tx, accountId, passkey, name.trim()),
    );
    return { passkey: value, recoveryCodes };
  }

  @Handles(secondFactorContract.renamePasskey)
  renamePasskey(
    { id, name }: Input['renamePasskey'],
    { actor }: RequestContext,
  ): Promise<OutputFor<'renamePasskey'>> {
    return this.passkeys.rename(personOf(actor).accountId, id, name.trim());
  }

  @Handles(secondFactorContract.deletePasskey)
  removePasskey(
    { id }: Input['deletePasskey'],
    context: RequestContext,
  ): Promise<OutputFor<'deletePasskey'>> {
    return this.change(context, async (tx, account) => {
      await this.passkeys.remove(tx, account.id, id);
      await this.afterRemoval(tx, account, 'passkeyRemoved');
      return { _id: id };
    });
  }

  /** The first factor comes with recovery codes. Another one leaves the account's codes valid. */
  private async addFactor<T>(
    context: RequestContext,
    what: SecondFactorChange,
    add: (tx: EntityManager) => Promise<T>,
  ): Promise<AddedFactor<T>> {
    const generated = await this.recoveryCodeService.generate(personOf(context.actor).accountId);
    return this.change<AddedFactor<T>, { value: T }>(
      context,
      async (tx, account) => {
        const isFirst = !(await this.factors.hasAny(tx, account.id));
        const value = await add(tx);
        if (isFirst) await this.recoveryCodes.replace(tx, account.id, generated);
        await this.mailAboutChange(tx, account, what);
        return { value, recoveryCodes: isFirst ? generated.codes : null };
      },
      // The codes are not stored: somebody who did not receive the answer creates new ones.
      { toStored: ({ value }) => ({ value }), restore: ({ value }) => ({ value, recoveryCodes: null }) },
    );
  }

  /** Deletes the recovery codes if no factor is left, because they are useless alone. */
  private async afterRemoval(
    tx: EntityManager,
    account: AccountEntity,
    what: SecondFactorChange,
  ): Promise<void> {
    if (!(await this.factors.hasAny(tx, account.id))) await this.recoveryCodes.deleteAll(tx, account.id);
    await this.mailAboutChange(tx, account, what);
  }

  private async mailAboutChange(
    tx: EntityManager,
    account: AccountEntity,
    what: SecondFactorChange,
  ): Promise<void> {
    await this.mail.sendIfVerified(tx, account, 'secondFactorChanged', { what });
  }

  /**
   * Runs `work` once per request. Then makes gateways look up roles again: an admin who lacks the required second factor counts as a customer.
   */
  private async change<T, S = T>(
    context: RequestContext,
    work: (tx: EntityManager, account: AccountEntity) => Promise<T>,
    reply?: ReplyStorage<T, S>,
  ): Promise<T> {
    const result = await this.inbox.once(
      context,
      async (tx) => work(tx, await this.accounts.lockOwn(tx, context.actor)),
      reply,
    );
    await this.broadcaster.publish(broadcasts.adminsChanged, {});
    return result;
  }

  private totpView(secret: string, email: string): OutputFor<'beginTotp'> {
    const uri = totpUri(secret, { site: new URL(this.config.PUBLIC_URL).hostname, email });
    return { secret, uri, qr: qrCodeOf(uri) };
  }
}

function alreadySetUp(): DomainError {
  return new DomainError(
    'INVALID_TRANSITION',
    {},
    'You already have an authenticator app. Remove it before you add another.',
  );
}
