import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Client } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { sha256 } from '../core/tokens.js';
import { AccountDeviceEntity } from './account-device.entity.js';

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, section 5.5), so a device not seen for longer is unknown again. */
export const forgetDevicesAfterSeconds = 400 * 24 * 60 * 60;
const maxDevicesPerAccount = 50;

/**
 * The devices that an account was used from. A browser is known by its device cookie; a client without cookies by its user agent and network,
 * so that a script that signs in every hour is one device.
 */
@Injectable()
export class AccountDeviceRepository {
  constructor(private readonly clock: Clock) {}

  /** Remembers the device. Returns true if the account was used from other devices before but not from this one. */
  async remember(tx: EntityManager, accountId: string, client: Client): Promise<boolean> {
    const { device, userAgent, address } = client;
    const byCookie = device && sha256(`cookie ${device.id}`);
    const byPlace = sha256(JSON.stringify(['place', userAgent, clientNetwork(address)]));
    const shown = device && !device.isNew ? byCookie! : byPlace;
    const [history] = await tx.sql<[{ known: boolean | null; used: boolean }]>`
      SELECT bool_or(device_hash = ${shown}) AS known, count(*) > 0 AS used
      FROM account_devices WHERE account_id = ${accountId}`;
    const lastSeenAt = this.clock.now();
    const devices = (byCookie ? [byCookie, byPlace] : [byPlace]).map((deviceHash) => ({
      accountId,
      deviceHash,
      lastSeenAt,
    }));
    await tx.upsert(AccountDeviceEntity, devices, ['accountId', 'deviceHash']);
    await tx.sql`
      DELETE FROM account_devices WHERE account_id = ${accountId} AND device_hash IN (
        SELECT device_hash FROM account_devices WHERE account_id = ${accountId}
        ORDER BY last_seen_at DESC OFFSET ${maxDevicesPerAccount})`;
    return history.used && !history.known;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(AccountDeviceEntity, { accountId });
  }
}
