import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull } from 'typeorm';
import { MailedLinkEntity, type LinkPurpose } from './mailed-link.entity.js';

@Injectable()
export class MailedLinkRepository {
  async insert(tx: EntityManager, link: MailedLinkEntity): Promise<void> {
    await tx.insert(MailedLinkEntity, link);
  }

  /** Locked until the transaction ends. */
  lock(tx: EntityManager, tokenHash: Buffer): Promise<MailedLinkEntity | null> {
    return tx.findOne(MailedLinkEntity, { where: { tokenHash }, lock: { mode: 'pessimistic_write' } });
  }

  async markUsed(tx: EntityManager, { tokenHash }: MailedLinkEntity, usedAt: Date): Promise<void> {
    await tx.update(MailedLinkEntity, { tokenHash }, { usedAt });
  }

  /** Marks the account's unused links of these purposes as used. */
  async revoke(
    tx: EntityManager,
    accountId: string,
    purposes: readonly LinkPurpose[],
    usedAt: Date,
  ): Promise<void> {
    await tx.update(MailedLinkEntity, { accountId, purpose: In(purposes), usedAt: IsNull() }, { usedAt });
  }
}
