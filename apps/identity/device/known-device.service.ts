import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Client } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '../clock.js';

/** The longest a browser keeps a cookie (RFC 6265bis, section 5.5): a device not seen for so long is another one. */
export const FORGET_DEVICES_AFTER_SECONDS = 400 * 24 * 60 * 60;
/** Of one account, those seen last. */
const REMEMBERED_AT_MOST = 50;

/**
 * Which devices an account was signed in from. A browser is known by its device cookie; a client that keeps no cookies, by its user agent and
 * client network, so that a script which signs in every hour is one device.
 */
@Injectable()
export class KnownDeviceService {
  constructor(private readonly clock: Clock) {}

  /**
   * Remembers the device, in the caller's transaction. True when the account was used from others before, but not from this one: its owner
   * should hear of it.
   */
  async note(tx: EntityManager, accountId: string, client: Client): Promise<boolean> {
    const { device, userAgent, address } = client;
    const cookie = device && hashOf(`cookie ${device.id}`);
    const place = hashOf(JSON.stringify(['place', userAgent, clientNetwork(address)]));
    const shown = device && !device.isNew ? cookie! : place;
    const [seen] = await tx.query<{ known: boolean; others: boolean }[]>(
      `SELECT bool_or(device_hash = $2) AS known, count(*) > 0 AS others FROM account_devices WHERE account_id = $1`,
      [accountId, shown],
    );
    for (const hash of cookie ? [cookie, place] : [place]) {
      await tx.query(
        `INSERT INTO account_devices (account_id, device_hash, last_seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, device_hash) DO UPDATE SET last_seen_at = $3`,
        [accountId, hash, this.clock.now()],
      );
    }
    await tx.query(
      `DELETE FROM account_devices WHERE account_id = $1 AND device_hash IN (
         SELECT device_hash FROM account_devices WHERE account_id = $1
         ORDER BY last_seen_at DESC OFFSET ${REMEMBERED_AT_MOST})`,
      [accountId],
    );
    return Boolean(seen?.others && !seen.known);
  }
}

function hashOf(what: string): Buffer {
  return createHash('sha256').update(what).digest();
}
