import type { EntityManager } from 'typeorm';
import { type SealPurpose, SecretSealer } from '../core/secret-sealer.js';

const sealedColumns: readonly { table: string; id: string; column: string; purpose: SealPurpose }[] = [
  { table: 'signing_keys', id: 'kid', column: 'private_key', purpose: 'signingKey' },
  { table: 'totp_factors', id: 'account_id', column: 'secret', purpose: 'totp' },
];

/**
 * Seals every stored signing key and authenticator secret with `newSecret`, including those that are not sealed yet. No replica of identity may run
 * meanwhile: a running replica could not open what is sealed with `newSecret`, and would seal new secrets with `formerSecret`. Returns the number of
 * keys and secrets. Throws if one of them was sealed with a secret other than `formerSecret`.
 */
export async function resealSecrets(
  tx: EntityManager,
  formerSecret: string | undefined,
  newSecret: string,
): Promise<number> {
  const [from, to] = [new SecretSealer(formerSecret), new SecretSealer(newSecret)];
  let count = 0;
  for (const { table, id, column, purpose } of sealedColumns) {
    const rows = await tx.sql<{ id: string; stored: string }[]>`
      SELECT ${() => id} AS id, ${() => column} AS stored FROM ${() => table} FOR UPDATE`;
    for (const row of rows) {
      const sealed = to.seal(purpose, from.open(purpose, row.stored));
      await tx.sql`UPDATE ${() => table} SET ${() => column} = ${sealed} WHERE ${() => id} = ${row.id}`;
    }
    count += rows.length;
  }
  return count;
}
