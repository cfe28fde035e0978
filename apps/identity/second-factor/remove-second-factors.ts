import type { EntityManager } from 'typeorm';

/** Every second factor of an account, and every sign-in that waits for one, in the caller's transaction. Whether there was any. */
export async function removeSecondFactors(tx: EntityManager, accountId: string): Promise<boolean> {
  let removed = 0;
  for (const table of ['totp_factors', 'passkeys']) {
    const [, count] = await tx.query<[unknown, number]>(`DELETE FROM ${table} WHERE account_id = $1`, [
      accountId,
    ]);
    removed += count;
  }
  for (const table of ['recovery_codes', 'passkey_challenges', 'pending_sign_ins', 'second_factor_attempts'])
    await tx.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
  return removed > 0;
}
