import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type Account, type Actor, type AdminNotification, demoDomain, DomainError } from '#libs/contracts';
import { isUniqueViolation, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { accountColumns, type AccountRow, accountView, isAdminSql } from './account-view.js';
import { AccountEntity } from './account.entity.js';
import { normalizeEmail } from './email.js';
import { personOf } from './person.js';

/** An admin's account is never a demo account, whatever its address. A function for the reason in `account-view.ts`. */
const isDemoSql = () => `(a.email_normalized LIKE '%@${demoDomain}' AND NOT ${isAdminSql()})`;

@Injectable()
export class AccountRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns the new id, or null if an account already has the address, in any letter case. */
  async createIfMissing(
    tx: EntityManager,
    { email, emailVerified }: { email: string; emailVerified: boolean },
  ): Promise<string | null> {
    const id = uuidv7();
    const inserted = await tx
      .createQueryBuilder()
      .insert()
      .into(AccountEntity)
      .values({
        id,
        email,
        emailNormalized: normalizeEmail(email),
        emailVerified,
        name: null,
        createdAt: this.clock.now(),
      })
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length > 0 ? id : null;
  }

  get(tx: EntityManager, id: string): Promise<AccountEntity> {
    return tx.findOneByOrFail(AccountEntity, { id });
  }

  findByEmail(tx: EntityManager, email: string): Promise<AccountEntity | null> {
    return tx.findOneBy(AccountEntity, { emailNormalized: normalizeEmail(email) });
  }

  /** Throws SESSION_ENDED if the account is gone. */
  async getOwn(actor: Actor): Promise<AccountEntity> {
    const account = await this.dataSource.manager.findOneBy(AccountEntity, { id: personOf(actor).accountId });
    if (!account) throw new DomainError('SESSION_ENDED');
    return account;
  }

  /** Locked until the transaction ends. */
  lock(tx: EntityManager, where: { id?: string; emailNormalized?: string }): Promise<AccountEntity | null> {
    return tx.findOne(AccountEntity, { where, lock: { mode: 'for_no_key_update' } });
  }

  /** Locked until the transaction ends. Throws SESSION_ENDED if the account is gone. */
  async lockOwn(tx: EntityManager, actor: Actor): Promise<AccountEntity> {
    const account = await this.lock(tx, { id: personOf(actor).accountId });
    if (!account) throw new DomainError('SESSION_ENDED');
    return account;
  }

  async markVerified(tx: EntityManager, id: string): Promise<void> {
    await tx.update(AccountEntity, id, { emailVerified: true });
  }

  /** Also removes the name, because the person who registered the account with somebody else’s address may have chosen it. */
  async markReclaimed(tx: EntityManager, id: string): Promise<void> {
    await tx.update(AccountEntity, id, { emailVerified: true, name: null });
  }

  /** The new address counts as verified. Throws EMAIL_TAKEN. */
  async changeEmail(tx: EntityManager, id: string, email: string): Promise<void> {
    const emailNormalized = normalizeEmail(email);
    await tx
      .update(AccountEntity, id, { email, emailNormalized, emailVerified: true })
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'accounts_email_unique') ? new DomainError('EMAIL_TAKEN') : error;
      });
  }

  async setNameIfMissing(tx: EntityManager, id: string, name: string): Promise<void> {
    await tx.update(AccountEntity, { id, name: IsNull() }, { name });
  }

  /**
   * The cascade also deletes rows that reference the account. Rows that are found by the e-mail address stay, such as those of `sign_in_attempts`,
   * `admin_users` and `admin_invitations`.
   */
  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(AccountEntity, id);
  }

  async countDemo(): Promise<number> {
    const [{ count }] = await this.dataSource.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM accounts a WHERE ${isDemoSql}`;
    return count;
  }

  async deleteDemo(tx: EntityManager): Promise<number> {
    const [, deleted] = await tx.sql<[unknown, number]>`
      DELETE FROM accounts a WHERE ${isDemoSql}`;
    return deleted;
  }

  /** For the actor's own account. Throws SESSION_ENDED if it is gone. */
  async getView(id: string): Promise<{ account: Account; createdAt: Date }> {
    const found = await this.findView(id);
    if (!found) throw new DomainError('SESSION_ENDED');
    return found;
  }

  /** Null for an unknown or malformed id. */
  async findView(id: string): Promise<{ account: Account; createdAt: Date } | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.dataSource.sql<(AccountRow & { created_at: Date })[]>`
      SELECT ${accountColumns}, a.created_at FROM accounts a WHERE a.id = ${id}`;
    return row ? { account: accountView(row), createdAt: row.created_at } : null;
  }

  /** Null for an unverified address, and for an unknown account. */
  async findVerifiedEmail(id: string): Promise<string | null> {
    if (!isUuid(id)) return null;
    const account = await this.dataSource.manager.findOneBy(AccountEntity, { id, emailVerified: true });
    return account?.email ?? null;
  }

  /** The oldest account first. If a notification is given, leaves out admins who have switched it off. */
  async listAdminEmails(notification?: AdminNotification): Promise<string[]> {
    const rows = await this.dataSource.sql<{ email: string }[]>`
      SELECT a.email FROM accounts a
      WHERE ${isAdminSql} AND NOT EXISTS (
        SELECT 1 FROM muted_notifications m WHERE m.account_id = a.id AND m.notification = ${notification ?? null}::text)
      ORDER BY a.created_at`;
    return rows.map(({ email }) => email);
  }

  /** The oldest account first. */
  async listAdmins(): Promise<{ accountId: string; email: string }[]> {
    return this.dataSource.sql<{ accountId: string; email: string }[]>`
      SELECT a.id AS "accountId", a.email FROM accounts a WHERE ${isAdminSql} ORDER BY a.created_at, a.id`;
  }

  async countAdmins(tx: EntityManager): Promise<number> {
    const [row] = await tx.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM accounts a WHERE ${isAdminSql}`;
    return row.count;
  }

  async isAdmin(tx: EntityManager, id: string): Promise<boolean> {
    const [row] = await tx.sql<{ is_admin: boolean }[]>`
      SELECT ${isAdminSql} AS is_admin FROM accounts a WHERE a.id = ${id}`;
    return row?.is_admin ?? false;
  }
}
