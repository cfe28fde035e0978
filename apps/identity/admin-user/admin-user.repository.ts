import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isAdminSql } from '../account/account-view.js';
import { normalizeEmail } from '../account/email.js';
import { AdminUserHistoryEntity } from './admin-user-history.entity.js';
import { AdminUserEntity } from './admin-user.entity.js';

@Injectable()
export class AdminUserRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Serializes changes of admins until the transaction ends. Everything that changes the list takes this lock first. So does everything that deletes
   * an account which may be an admin's, or verifies or changes its address. Readers do not wait.
   */
  async lock(tx: EntityManager): Promise<void> {
    await tx.sql`LOCK TABLE admin_users IN SHARE ROW EXCLUSIVE MODE`;
  }

  /** The oldest first. */
  list(): Promise<AdminUserEntity[]> {
    return this.dataSource.manager.find(AdminUserEntity, { order: { id: 'ASC' } });
  }

  find(id: string, tx = this.dataSource.manager): Promise<AdminUserEntity | null> {
    return tx.findOneBy(AdminUserEntity, { id });
  }

  findByEmail(tx: EntityManager, userEmail: string): Promise<AdminUserEntity | null> {
    return tx.findOneBy(AdminUserEntity, { emailNormalized: normalizeEmail(userEmail) });
  }

  async save(tx: EntityManager, adminUser: AdminUserEntity): Promise<void> {
    await tx.save(AdminUserEntity, adminUser);
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(AdminUserEntity, id);
  }

  /** The oldest first. */
  listHistory(tx: EntityManager, adminUserId: string): Promise<AdminUserHistoryEntity[]> {
    return tx.find(AdminUserHistoryEntity, { where: { adminUserId }, order: { version: 'ASC' } });
  }

  async insertHistory(tx: EntityManager, change: AdminUserHistoryEntity): Promise<void> {
    await tx.insert(AdminUserHistoryEntity, change);
  }

  /** Keeps the invitation from being used after the address leaves the list. */
  async deleteInvitation(tx: EntityManager, userEmail: string): Promise<void> {
    await tx.sql`DELETE FROM admin_invitations WHERE email_normalized = ${normalizeEmail(userEmail)}`;
  }

  /** A former admin's invitations do not work. If they stayed, they would work again once the sender is an admin again. */
  async deleteInvitationsOfFormerAdmins(tx: EntityManager): Promise<void> {
    await tx.sql`
      DELETE FROM admin_invitations i USING accounts a WHERE a.id = i.invited_by AND NOT ${isAdminSql}`;
  }
}
