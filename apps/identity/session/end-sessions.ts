import type { EntityManager } from 'typeorm';
import { SessionEntity, type SessionEndReason } from './session.entity.js';

/**
 * Ends every session of an account (but for one, where it is given), in the transaction that changes how it signs in: change the credential first,
 * so that no sign-in under way with the old one can slip in between. Returns the ids, to be broadcast after commit.
 */
export async function endSessionsOf(
  tx: EntityManager,
  accountId: string,
  reason: SessionEndReason,
  now: Date,
  exceptId: string | null = null,
): Promise<string[]> {
  // A sign-in between its two steps began with what is no longer good.
  await tx.query(`DELETE FROM pending_sign_ins WHERE account_id = $1`, [accountId]);
  const ended = await tx
    .createQueryBuilder()
    .update(SessionEntity)
    .set({ endedAt: now, endReason: reason })
    .where('account_id = :accountId AND ended_at IS NULL', { accountId })
    .andWhere('(:exceptId::uuid IS NULL OR id <> :exceptId)', { exceptId })
    .returning('id')
    .execute();
  return (ended.raw as { id: string }[]).map(({ id }) => id);
}
