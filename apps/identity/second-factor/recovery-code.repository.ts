import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

@Injectable()
export class RecoveryCodeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null for an account without codes. */
  async findSalt(accountId: string): Promise<Buffer | null> {
    const code = await this.dataSource.manager.findOneBy(RecoveryCodeEntity, { accountId });
    return code?.salt ?? null;
  }

  /** Replaces the account's codes. */
  async replace(
    tx: EntityManager,
    accountId: string,
    { salt, hashes }: { salt: Buffer; hashes: readonly Buffer[] },
  ): Promise<void> {
    await this.deleteAll(tx, accountId);
    const codes = hashes.map((codeHash) => ({ accountId, codeHash, salt, usedAt: null }));
    await tx.insert(RecoveryCodeEntity, codes);
  }

  /** Returns false for a code that does not exist, and for one that was used before. */
  async use(tx: EntityManager, accountId: string, codeHash: Buffer, usedAt: Date): Promise<boolean> {
    const unused = { accountId, codeHash, usedAt: IsNull() };
    const { affected } = await tx.update(RecoveryCodeEntity, unused, { usedAt });
    return affected === 1;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(RecoveryCodeEntity, { accountId });
  }
}
