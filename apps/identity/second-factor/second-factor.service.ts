import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, type SecondFactorMethod, type SignInSecurity } from '#libs/contracts';
import { Clock } from '../clock.js';
import type { SecretSealer } from '../core/secret-sealer.js';
import { mustHaveSecondFactorSql } from '../account/account-view.js';
import { CodeThrottle } from './code-throttle.js';
import { RecoveryCodeService } from './recovery-code.service.js';
import { matchingStep } from './totp.js';

/** Nest's token for what seals the secrets of authenticator apps. */
export const TOTP_SEALER = Symbol('totp sealer');

/** A code that was found right, and is used up in the transaction of what it was given for. */
export type CheckedCode = { step: number } | { recoveryHash: Buffer };

/** What an account has besides its password, and whether a code of it is right. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recovery: RecoveryCodeService,
    private readonly throttle: CodeThrottle,
    @Inject(TOTP_SEALER) private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** By what a sign-in to this account can be ended; none for an account without a second factor. */
  async methodsOf(tx: EntityManager, accountId: string): Promise<SecondFactorMethod[]> {
    const [row] = await tx.query<{ totp: boolean; passkey: boolean; codes: boolean }[]>(
      `SELECT EXISTS (SELECT 1 FROM totp_factors WHERE account_id = $1 AND confirmed_at IS NOT NULL) AS totp,
              EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1) AS passkey,
              EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = $1 AND used_at IS NULL) AS codes`,
      [accountId],
    );
    if (!row || (!row.totp && !row.passkey)) return [];
    const all: [SecondFactorMethod, boolean][] = [
      ['totp', row.totp],
      ['passkey', row.passkey],
      ['recoveryCode', row.codes],
    ];
    return all.filter(([, has]) => has).map(([method]) => method);
  }

  /** Whether a code is right; `use` makes it so that it was. Throws INVALID_CODE, RATE_LIMITED, OVERLOADED. */
  async check(
    accountId: string,
    code: string,
    app: 'confirmed' | 'unconfirmed' = 'confirmed',
  ): Promise<CheckedCode> {
    await this.throttle.attempt(accountId);
    if (code.length === 6) {
      const [factor] = await this.dataSource.query<{ secret: string }[]>(
        `SELECT secret FROM totp_factors WHERE account_id = $1 AND (confirmed_at IS NOT NULL) = $2`,
        [accountId, app === 'confirmed'],
      );
      const step = factor && matchingStep(this.sealer.open(factor.secret), code, this.clock.now());
      if (step === undefined) throw invalidCode();
      return { step };
    }
    const recoveryHash = await this.recovery.hashOf(accountId, code);
    if (!recoveryHash) throw invalidCode();
    return { recoveryHash };
  }

  /** In the transaction of what the code was given for. Throws INVALID_CODE for one that was used before. */
  async use(tx: EntityManager, accountId: string, checked: CheckedCode): Promise<void> {
    const good =
      'step' in checked
        ? await this.useStep(tx, accountId, checked.step)
        : await this.recovery.use(tx, accountId, checked.recoveryHash);
    if (!good) throw invalidCode();
    await this.throttle.forget(tx, accountId);
  }

  async security(accountId: string): Promise<SignInSecurity> {
    const [row] = await this.dataSource.query<SecurityRow[]>(
      `SELECT EXISTS (SELECT 1 FROM credentials c WHERE c.account_id = a.id) AS password,
              EXISTS (SELECT 1 FROM linked_identities l WHERE l.account_id = a.id) AS google,
              (SELECT confirmed_at FROM totp_factors t WHERE t.account_id = a.id) AS totp_since,
              (SELECT count(*)::int FROM recovery_codes r WHERE r.account_id = a.id AND used_at IS NULL) AS codes,
              ${mustHaveSecondFactorSql} AS needed
       FROM accounts a WHERE a.id = $1`,
      [accountId],
    );
    if (!row) throw new DomainError('SESSION_ENDED');
    const passkeys = await this.dataSource.query<PasskeyRow[]>(
      `SELECT id, name, created_at, last_used_at, synced FROM passkeys WHERE account_id = $1 ORDER BY id`,
      [accountId],
    );
    return {
      password: row.password,
      google: row.google,
      totp: row.totp_since && { since: row.totp_since.toISOString() },
      passkeys: passkeys.map(passkeyView),
      recoveryCodesLeft: row.codes,
      required: row.needed,
    };
  }

  /** A step counts once, and none before it counts any more (RFC 6238, section 5.2). */
  private async useStep(tx: EntityManager, accountId: string, step: number): Promise<boolean> {
    const [rows] = await tx.query<[unknown[], number]>(
      `UPDATE totp_factors SET last_step = $2 WHERE account_id = $1 AND last_step < $2 RETURNING 1`,
      [accountId, step],
    );
    return rows.length > 0;
  }
}

interface SecurityRow {
  password: boolean;
  google: boolean;
  totp_since: Date | null;
  codes: number;
  needed: boolean;
}

export interface PasskeyRow {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  synced: boolean;
}

export function passkeyView({ id, name, created_at, last_used_at, synced }: PasskeyRow) {
  return {
    id,
    name,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
    synced,
  };
}

function invalidCode(): DomainError {
  const { message } = new DomainError('INVALID_CODE');
  return new DomainError('INVALID_CODE', { fields: [{ field: 'code', message }] });
}
