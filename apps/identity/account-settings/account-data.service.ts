import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type accountContract,
  type Actor,
  DomainError,
  type LinkedIdentity,
  type Output,
  type SignInMethods,
} from '#libs/contracts';
import { CredentialEntity } from '../credential/credential.entity.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { OwnSessionService } from '../session/own-session.service.js';
import { AccountEntity } from '../account/account.entity.js';
import { accountColumns, type AccountRow, accountView, isAdminSql } from '../account/account-view.js';
import { personOf } from '../account/person.js';

/** What people see of their own account. */
@Injectable()
export class AccountDataService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: OwnSessionService,
    private readonly factors: SecondFactorService,
  ) {}

  async signInMethods(actor: Actor): Promise<SignInMethods> {
    const { accountId } = personOf(actor);
    return { password: await this.dataSource.manager.existsBy(CredentialEntity, { accountId }) };
  }

  /** Null for an address that is not confirmed, and for no account. */
  async confirmedEmail(accountId: string): Promise<string | null> {
    if (!isUuid(accountId)) return null;
    const account = await this.dataSource.manager.findOneBy(AccountEntity, {
      id: accountId,
      emailVerified: true,
    });
    return account?.email ?? null;
  }

  async adminEmails(): Promise<string[]> {
    const rows = await this.dataSource.query<{ email: string }[]>(
      `SELECT a.email FROM accounts a WHERE ${isAdminSql} ORDER BY a.created_at`,
    );
    return rows.map(({ email }) => email);
  }

  /** All that identity keeps of the person, but for hashes, keys and what they are made from. Throws SESSION_ENDED. */
  async data(actor: Actor): Promise<Output<typeof accountContract.accountData>> {
    const { accountId } = personOf(actor);
    const [row] = await this.dataSource.query<(AccountRow & { created_at: Date })[]>(
      `SELECT ${accountColumns}, a.created_at FROM accounts a WHERE a.id = $1`,
      [accountId],
    );
    if (!row) throw new DomainError('SESSION_ENDED');
    const { totp, passkeys, recoveryCodesLeft } = await this.factors.security(accountId);
    return {
      account: { ...accountView(row), registeredAt: row.created_at.toISOString() },
      signInMethods: await this.signInMethods(actor),
      linkedIdentities: await this.linkedIdentities(accountId),
      secondFactors: { totp, passkeys, recoveryCodesLeft },
      sessions: await this.sessions.list(actor),
    };
  }

  private async linkedIdentities(accountId: string): Promise<LinkedIdentity[]> {
    const rows = await this.dataSource.query<LinkedRow[]>(
      `SELECT issuer, subject, created_at, last_used_at FROM linked_identities WHERE account_id = $1 ORDER BY id`,
      [accountId],
    );
    return rows.map(({ issuer, subject, created_at, last_used_at }) => ({
      issuer,
      subject,
      linkedAt: created_at.toISOString(),
      lastUsedAt: last_used_at.toISOString(),
    }));
  }
}

interface LinkedRow {
  issuer: string;
  subject: string;
  created_at: Date;
  last_used_at: Date;
}
