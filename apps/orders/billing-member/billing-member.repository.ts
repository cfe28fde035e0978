import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BillingMemberEntity } from './billing-member.entity.js';

/** A projection of the teams, which the projects service stores. A member is active while they have the role `billing`. */
@Injectable()
export class BillingMemberRepository {
  constructor(private readonly dataSource: DataSource) {}

  hasActive(
    ownerId: string,
    accountId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    return manager.existsBy(BillingMemberEntity, { ownerId, accountId, active: true });
  }

  /** The customers in whose teams this account has the role `billing`. */
  async listOwnerIds(accountId: string): Promise<string[]> {
    const found = await this.dataSource.manager.findBy(BillingMemberEntity, { accountId, active: true });
    return found.map(({ ownerId }) => ownerId);
  }

  listActive(): Promise<BillingMemberEntity[]> {
    return this.dataSource.manager.find(BillingMemberEntity, {
      where: { active: true },
      order: { ownerId: 'ASC', accountId: 'ASC' },
    });
  }

  /** Does nothing if the row has changed since it was read. */
  async deactivate({ ownerId, accountId, version }: BillingMemberEntity): Promise<void> {
    await this.dataSource.manager.update(
      BillingMemberEntity,
      { ownerId, accountId, version },
      { active: false },
    );
  }

  /** Does nothing if this version or a later one is stored. */
  async save({ ownerId, accountId, active, version }: BillingMemberEntity): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO billing_members AS known (owner_id, account_id, active, version)
      VALUES (${ownerId}, ${accountId}, ${active}, ${version})
      ON CONFLICT (owner_id, account_id) DO UPDATE SET active = excluded.active, version = excluded.version
      WHERE known.version < excluded.version`;
  }
}
