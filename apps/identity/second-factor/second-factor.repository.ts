import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SecondFactorMethod } from '#libs/contracts';
import { mustHaveSecondFactorSql } from '../account/account-view.js';

export interface SecurityOverview {
  password: boolean;
  google: boolean;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  /** Whether the account must have a second factor. */
  required: boolean;
}

@Injectable()
export class SecondFactorRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The account has a second factor only if `totp` or `passkey` is true: recovery codes alone do not count. */
  async findMethods(tx: EntityManager, accountId: string): Promise<Record<SecondFactorMethod, boolean>> {
    const [row] = await tx.sql<[Record<SecondFactorMethod, boolean>]>`
      SELECT EXISTS (SELECT 1 FROM totp_factors WHERE account_id = ${accountId} AND confirmed_at IS NOT NULL) AS totp,
             EXISTS (SELECT 1 FROM passkeys WHERE account_id = ${accountId}) AS passkey,
             EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = ${accountId} AND used_at IS NULL)
               AS "recoveryCode"`;
    return row;
  }

  /** Without passkeys, which `PasskeyService` lists. Null if the account is gone. */
  async findOverview(accountId: string): Promise<SecurityOverview | null> {
    const [row] = await this.dataSource.sql<SecurityOverview[]>`
      SELECT EXISTS (SELECT 1 FROM credentials c WHERE c.account_id = a.id) AS password,
             EXISTS (SELECT 1 FROM linked_identities l WHERE l.account_id = a.id) AS google,
             (SELECT confirmed_at FROM totp_factors t WHERE t.account_id = a.id) AS "totpSince",
             (SELECT count(*)::int FROM recovery_codes r WHERE r.account_id = a.id AND used_at IS NULL)
               AS "recoveryCodesLeft",
             ${mustHaveSecondFactorSql} AS required
      FROM accounts a WHERE a.id = ${accountId}`;
    return row ?? null;
  }

  /** Also deletes the account's pending sign-ins. Returns whether it had a second factor. */
  async deleteAll(tx: EntityManager, accountId: string): Promise<boolean> {
    const { totp, passkey } = await this.findMethods(tx, accountId);
    for (const table of [
      'totp_factors',
      'passkeys',
      'recovery_codes',
      'passkey_challenges',
      'pending_sign_ins',
      'second_factor_attempts',
    ])
      await tx.sql`DELETE FROM ${() => table} WHERE account_id = ${accountId}`;
    return totp || passkey;
  }
}
