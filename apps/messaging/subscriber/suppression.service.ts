import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Addresses to which mail came back for good: no newsletter goes there until an admin lifts that. */
@Injectable()
export class Suppressions {
  /**
   * In the transaction that records what the other server said. Also of whom an admin has deleted and may yet put back. False for an address
   * that is on no list, or suppressed already.
   */
  async suppress(tx: EntityManager, address: string, reason: string): Promise<boolean> {
    const email = address.toLowerCase();
    const listed = await suppressListed(tx, email, reason);
    const deleted = await suppressDeleted(tx, email, reason);
    // They may have been put back between the two.
    return listed || deleted || suppressListed(tx, email, reason);
  }
}

async function suppressListed(tx: EntityManager, email: string, reason: string): Promise<boolean> {
  const [, suppressed] = await tx.query<[unknown, number]>(
    `UPDATE subscribers SET status = 'suppressed', status_unsuppressed = status, suppressed_at = now(),
       suppressed_reason = $2, version = version + 1, updated_at = now()
     WHERE email_normalized = $1 AND status <> 'suppressed'`,
    [email, reason],
  );
  return suppressed > 0;
}

async function suppressDeleted(tx: EntityManager, email: string, reason: string): Promise<boolean> {
  const [, suppressed] = await tx.query<[unknown, number]>(
    `UPDATE deleted_records SET record = record || jsonb_build_object('status', 'suppressed',
       'status_unsuppressed', record->>'status', 'suppressed_at', now(), 'suppressed_reason', $2::text)
     WHERE source = 'subscribers' AND record->>'email_normalized' = $1 AND record->>'status' <> 'suppressed'`,
    [email, reason],
  );
  return suppressed > 0;
}
