import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Addresses to which mail came back for good: no newsletter goes there until an admin lifts that. */
@Injectable()
export class Suppressions {
  /** In the transaction that records what the other server said. False for an address that is on no list, or suppressed already. */
  async suppress(tx: EntityManager, address: string, reason: string): Promise<boolean> {
    const [, suppressed] = await tx.query<[unknown, number]>(
      `UPDATE subscribers SET status = 'suppressed', status_unsuppressed = status, suppressed_at = now(),
         suppressed_reason = $2, version = version + 1, updated_at = now()
       WHERE email_normalized = $1 AND status <> 'suppressed'`,
      [address.toLowerCase(), reason],
    );
    return suppressed > 0;
  }
}
