import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { LinkedIdentity } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { LinkedIdentityEntity } from './linked-identity.entity.js';

type Identity = Pick<LinkedIdentity, 'issuer' | 'subject'>;

@Injectable()
export class LinkedIdentityRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(
    tx: EntityManager,
    accountId: string,
    { issuer, subject }: Identity,
    now: Date,
  ): Promise<void> {
    const link = { id: uuidv7(), accountId, issuer, subject, createdAt: now, lastUsedAt: now };
    await tx.insert(LinkedIdentityEntity, link);
  }

  /** Returns the account's id, or null if the identity is not linked. */
  async recordUseAndFindAccountId(
    tx: EntityManager,
    { issuer, subject }: Identity,
    lastUsedAt: Date,
  ): Promise<string | null> {
    await tx.update(LinkedIdentityEntity, { issuer, subject }, { lastUsedAt });
    return (await tx.findOneBy(LinkedIdentityEntity, { issuer, subject }))?.accountId ?? null;
  }

  isLinked(tx: EntityManager, accountId: string, { issuer, subject }: Identity): Promise<boolean> {
    return tx.existsBy(LinkedIdentityEntity, { accountId, issuer, subject });
  }

  async list(accountId: string): Promise<LinkedIdentity[]> {
    const where = { accountId };
    const links = await this.dataSource.manager.find(LinkedIdentityEntity, { where, order: { id: 'ASC' } });
    return links.map(({ issuer, subject, createdAt, lastUsedAt }) => ({
      issuer,
      subject,
      linkedAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    }));
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(LinkedIdentityEntity, { accountId });
  }
}
