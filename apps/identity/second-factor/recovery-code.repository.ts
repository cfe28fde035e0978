import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import type { HashingCost } from '../credential/password-hasher.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

@Injectable()
export class RecoveryCodeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** One of the account's codes, used or not, because all have the same salt and cost. Null if the account has none. */
  findAny(accountId: string): Promise<RecoveryCodeEntity | null> {
    return this.dataSource.manager.findOneBy(RecoveryCodeEntity, { accountId });
  }

  async replace(
    tx: EntityManager,
    accountId: string,
    { salt, cost, hashes }: { salt: Buffer; cost: HashingCost; hashes: readonly Buffer[] },
  ): Promise<void> {
    await this.deleteAll(tx, accountId);
    const { memoryKiB, passes } = cost;
    const codes = hashes.map((codeHash) => ({
      accountId,
      codeHash,
      salt,
      memoryKiB,
      passes,
      usedAt: null,
    }));
    await tx.insert(RecoveryCodeEntity, codes);
  }

  /** Returns false for an unknown code, and for a used one. */
  async use(tx: EntityManager, accountId: string, codeHash: Buffer, usedAt: Date): Promise<boolean> {
    const unused = { accountId, codeHash, usedAt: IsNull() };
    const { affected } = await tx.update(RecoveryCodeEntity, unused, { usedAt });
    return affected === 1;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(RecoveryCodeEntity, { accountId });
  }
}
