import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PasskeyEntity } from './passkey.entity.js';

@Injectable()
export class PasskeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns false if any account has the credential already. */
  async insert(tx: EntityManager, passkey: PasskeyEntity): Promise<boolean> {
    const inserted = await tx
      .createQueryBuilder()
      .insert()
      .into(PasskeyEntity)
      .values(passkey)
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length > 0;
  }

  /** The oldest first. */
  list(accountId: string): Promise<PasskeyEntity[]> {
    return this.dataSource.manager.find(PasskeyEntity, { where: { accountId }, order: { id: 'ASC' } });
  }

  count(tx: EntityManager, accountId: string): Promise<number> {
    return tx.countBy(PasskeyEntity, { accountId });
  }

  lockByCredential(tx: EntityManager, credentialId: string): Promise<PasskeyEntity | null> {
    return tx.findOne(PasskeyEntity, { where: { credentialId }, lock: { mode: 'pessimistic_write' } });
  }

  async recordUse(
    tx: EntityManager,
    id: string,
    use: { counter: number; synced: boolean; lastUsedAt: Date },
  ): Promise<void> {
    await tx.update(PasskeyEntity, id, { ...use, counter: String(use.counter) });
  }

  /** Null if the account has no such passkey. */
  async rename(accountId: string, id: string, name: string): Promise<PasskeyEntity | null> {
    const { manager } = this.dataSource;
    await manager.update(PasskeyEntity, { id, accountId }, { name });
    return manager.findOneBy(PasskeyEntity, { id, accountId });
  }

  /** Returns false if the account has no such passkey. */
  async delete(tx: EntityManager, accountId: string, id: string): Promise<boolean> {
    const { affected } = await tx.delete(PasskeyEntity, { id, accountId });
    return affected === 1;
  }
}
