import type { EntityManager } from 'typeorm';
import { type Actor, DomainError } from '#libs/contracts';
import { AccountEntity } from './account.entity.js';
import { personOf } from './person.js';

/** The caller's account, locked until the transaction ends. Throws SESSION_ENDED. */
export async function lockAccount(tx: EntityManager, actor: Actor): Promise<AccountEntity> {
  const account = await tx.findOne(AccountEntity, {
    where: { id: personOf(actor).accountId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!account) throw new DomainError('SESSION_ENDED');
  return account;
}
