import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type accountContract,
  type Actor,
  DomainError,
  type Output,
  type SignInMethods,
} from '#libs/contracts';
import { CredentialEntity } from '../credential/credential.entity.js';
import { OwnSessions } from '../session/own-sessions.js';
import { accountColumns, type AccountRow, accountView } from './account.view.js';
import { personOf } from './person.js';

/** What people see of their own account. */
@Injectable()
export class AccountReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: OwnSessions,
  ) {}

  async signInMethods(actor: Actor): Promise<SignInMethods> {
    const { accountId } = personOf(actor);
    return { password: await this.dataSource.manager.existsBy(CredentialEntity, { accountId }) };
  }

  /** All that identity keeps of the person, but for hashes. Throws SESSION_ENDED. */
  async data(actor: Actor): Promise<Output<typeof accountContract.accountData>> {
    const { accountId } = personOf(actor);
    const [row] = await this.dataSource.query<(AccountRow & { created_at: Date })[]>(
      `SELECT ${accountColumns}, a.created_at FROM accounts a WHERE a.id = $1`,
      [accountId],
    );
    if (!row) throw new DomainError('SESSION_ENDED');
    return {
      account: { ...accountView(row), registeredAt: row.created_at.toISOString() },
      signInMethods: await this.signInMethods(actor),
      sessions: await this.sessions.list(actor),
    };
  }
}
