import type { EntityManager } from 'typeorm';
import { SecretSealer } from '../core/secret-sealer.js';

/** What `SecretSealer` seals in the database, and for which purpose. */
const sealed = [
  { table: 'signing_keys', id: 'kid', column: 'private_key', purpose: undefined },
  { table: 'totp_factors', id: 'account_id', column: 'secret', purpose: 'authenticator apps' },
] as const;

/**
 * Opens with one `KEY_ENCRYPTION_SECRET` and seals with another all that is sealed, in this transaction; gives how many there were. Throws
 * where the former secret does not open something. An identity that runs meanwhile could open nothing that it has yet to read, and would
 * seal what is new with the former secret: there must be none.
 */
export async function reseal(tx: EntityManager, former: string | undefined, secret: string): Promise<number> {
  let count = 0;
  for (const { table, id, column, purpose } of sealed) {
    const [from, to] = [new SecretSealer(former, purpose), new SecretSealer(secret, purpose)];
    const rows = await tx.query<{ id: string; text: string }[]>(
      `SELECT ${id} AS id, ${column} AS text FROM ${table} FOR UPDATE`,
    );
    for (const row of rows)
      await tx.query(`UPDATE ${table} SET ${column} = $2 WHERE ${id} = $1`, [
        row.id,
        to.seal(from.open(row.text)),
      ]);
    count += rows.length;
  }
  return count;
}
