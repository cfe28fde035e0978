import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Client } from '#libs/contracts';
import { sha256 } from '#libs/database';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, section 5.5), so a device not seen for longer is unknown again. */
export const forgetDevicesAfterSeconds = 400 * 24 * 60 * 60;
/** Each sign-in stores up to two: a hash of the browser's cookie, and one of its user agent and network. */
const maxHashesOfEachKind = 50;

/**
 * A browser is known by its device cookie. A client without cookies, or with a new one, is known by its user agent and network, so that a script that
 * signs in every hour is one device. No entity: a device is never read as a whole.
 */
@Injectable()
export class AccountDeviceRepository {
  constructor(private readonly clock: Clock) {}

  /** Returns true if the account was used before, but not from this device. */
  async remember(tx: EntityManager, accountId: string, client: Client): Promise<boolean> {
    const { device, userAgent, address } = client;
    const cookieHash = device && sha256(`cookie ${device.id}`);
    const agentAndNetworkHash = sha256(JSON.stringify(['place', userAgent, clientNetwork(address)]));
    const recognitionHash = device && !device.isNew ? cookieHash! : agentAndNetworkHash;
    const hashes = cookieHash ? [cookieHash, agentAndNetworkHash] : [agentAndNetworkHash];
    const [history] = await tx.sql<[{ known: boolean | null; used: boolean }]>`
      SELECT bool_or(device_hash = ${recognitionHash}) AS known, count(*) > 0 AS used
      FROM account_devices WHERE account_id = ${accountId}`;
    await tx.sql`
      INSERT INTO account_devices (account_id, device_hash, last_seen_at)
      SELECT ${accountId}, unnest(${hashes}::bytea[]), ${this.clock.now()}
      ON CONFLICT (account_id, device_hash) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at, returned = true`;
    // Each sign-in of a script without cookies stores a hash that never returns. So that these do not displace those of a browser, each kind has its
    // own limit.
    await tx.sql`
      DELETE FROM account_devices WHERE account_id = ${accountId} AND device_hash IN (
        SELECT device_hash FROM (
          SELECT device_hash, row_number() OVER (PARTITION BY returned ORDER BY last_seen_at DESC) AS place
          FROM account_devices WHERE account_id = ${accountId}) AS devices
        WHERE place > ${maxHashesOfEachKind})`;
    return history.used && !history.known;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.sql`DELETE FROM account_devices WHERE account_id = ${accountId}`;
  }
}
