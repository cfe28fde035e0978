import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull } from 'typeorm';
import { AccountLinkEntity, type LinkPurpose } from './account-link.entity.js';

@Injectable()
export class AccountLinkRepository {
  async insert(tx: EntityManager, link: AccountLinkEntity): Promise<void> {
    await tx.insert(AccountLinkEntity, link);
  }

  /** The link, locked until the transaction ends, or null. */
  lock(tx: EntityManager, tokenHash: Buffer): Promise<AccountLinkEntity | null> {
    return tx.findOne(AccountLinkEntity, { where: { tokenHash }, lock: { mode: 'pessimistic_write' } });
  }

  async markUsed(tx: EntityManager, { tokenHash }: AccountLinkEntity, usedAt: Date): Promise<void> {
    await tx.update(AccountLinkEntity, { tokenHash }, { usedAt });
  }

  /** Marks the account's unused links of these purposes as used. */
  async revoke(
    tx: EntityManager,
    accountId: string,
    purposes: readonly LinkPurpose[],
    usedAt: Date,
  ): Promise<void> {
    await tx.update(AccountLinkEntity, { accountId, purpose: In(purposes), usedAt: IsNull() }, { usedAt });
  }
}
