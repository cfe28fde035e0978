import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  DomainError,
  type SecondFactorMethod,
  secondFactorMethods,
  type SignInSecurity,
} from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { AccountRepository } from '../account/account.repository.js';
import { AccountMailService } from '../core/account-mail.service.js';
import { fieldError } from '../core/field-error.js';
import { PasskeyService } from '../passkey/passkey.service.js';
import { CodeAttemptRepository } from './code-attempt.repository.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';
import { RecoveryCodeService } from './recovery-code.service.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import { TotpFactorRepository } from './totp-factor.repository.js';
import { matchingStep } from './totp.js';

/** A code of an authenticator app has been verified. A recovery code has only been hashed, and may be wrong. `useCode` uses up both kinds. */
export type CheckedCode = { secret: string; step: number } | { recoveryHash: Buffer };

@Injectable()
export class SecondFactorService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly factors: SecondFactorRepository,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodeService: RecoveryCodeService,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly passkeys: PasskeyService,
    private readonly attempts: CodeAttemptRepository,
    private readonly mail: AccountMailService,
    private readonly clock: Clock,
  ) {}

  /** The methods that can complete a sign-in. None if the account has neither an authenticator app nor a passkey, even if it has recovery codes. */
  async methodsOf(tx: EntityManager, accountId: string): Promise<SecondFactorMethod[]> {
    const has = await this.factors.findMethods(tx, accountId);
    return has.totp || has.passkey ? secondFactorMethods.filter((method) => has[method]) : [];
  }

  async hasAny(tx: EntityManager, accountId: string): Promise<boolean> {
    return (await this.methodsOf(tx, accountId)).length > 0;
  }

  /** Counts an attempt. A recovery code is only hashed: `useCode` looks it up. Throws INVALID_CODE, RATE_LIMITED, OVERLOADED. */
  async checkCode(
    accountId: string,
    code: string,
    authenticatorApp: 'confirmed' | 'unconfirmed' = 'confirmed',
  ): Promise<CheckedCode> {
    await this.attempts.recordAttempt(accountId);
    if (code.length === 6) {
      const secret = await this.totpFactors.findSecret(accountId, authenticatorApp);
      const step = secret === null ? undefined : matchingStep(secret, code, this.clock.now());
      if (secret === null || step === undefined) throw fieldError('INVALID_CODE', 'code');
      return { secret, step };
    }
    const recoveryHash = await this.recoveryCodeService.hashOf(accountId, code);
    if (!recoveryHash) throw fieldError('INVALID_CODE', 'code');
    return { recoveryHash };
  }

  /**
   * Call it in the transaction of the sign-in or change that needs the code. Mails the owner that a recovery code was used, if the account's address
   * is verified. Throws INVALID_CODE for a used code, a code of a secret that was replaced meanwhile, and a wrong recovery code.
   */
  async useCode(tx: EntityManager, accountId: string, checked: CheckedCode): Promise<void> {
    const used =
      'step' in checked
        ? await this.totpFactors.useStep(tx, accountId, checked)
        : await this.recoveryCodes.use(tx, accountId, checked.recoveryHash, this.clock.now());
    if (!used) throw fieldError('INVALID_CODE', 'code');
    await this.attempts.reset(tx, accountId);
    if ('step' in checked) return;
    const account = await this.accounts.get(tx, accountId);
    await this.mail.sendIfVerified(tx, account, 'secondFactorChanged', { what: 'recoveryCodeUsed' });
  }

  /** Throws SESSION_ENDED if the account is gone. */
  async getSecurity(accountId: string): Promise<SignInSecurity> {
    const overview = await this.factors.findOverview(accountId);
    if (!overview) throw new DomainError('SESSION_ENDED');
    const { totpSince, ...rest } = overview;
    return {
      ...rest,
      totp: totpSince && { since: totpSince.toISOString() },
      passkeys: await this.passkeys.list(accountId),
    };
  }
}
