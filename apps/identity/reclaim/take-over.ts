import type { EntityManager } from 'typeorm';
import { removeSecondFactors } from '../second-factor/remove-second-factors.js';
import { endSessionsOf } from '../session/end-sessions.js';
import { CredentialEntity } from '../credential/credential.entity.js';

/**
 * Somebody has proved an address whose account never did: whoever registered it before loses every way in, in the caller's transaction (password,
 * identities at Google, second factors, links that were mailed, pending changes, known devices, sessions). Call it before setting what the owner signs in with. Returns the
 * sessions that ended, to be broadcast after commit.
 */
export async function takeOver(tx: EntityManager, accountId: string, now: Date): Promise<string[]> {
  await tx.delete(CredentialEntity, { accountId });
  await removeSecondFactors(tx, accountId);
  await tx.query(`DELETE FROM linked_identities WHERE account_id = $1`, [accountId]);
  await tx.query(`UPDATE account_links SET used_at = $2 WHERE account_id = $1 AND used_at IS NULL`, [
    accountId,
    now,
  ]);
  await tx.query(`DELETE FROM account_devices WHERE account_id = $1`, [accountId]);
  return endSessionsOf(tx, accountId, 'account-taken-over', now);
}
