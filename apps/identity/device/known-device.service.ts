import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Client } from '#libs/contracts';
import { clientNetwork } from '#libs/platform';
import { Clock } from '#libs/runtime';
import { AccountDeviceRepository } from './account-device.repository.js';

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, section 5.5), so a device not seen for longer is unknown again. */
export const forgetDevicesAfterSeconds = 400 * 24 * 60 * 60;
const maxDevicesPerAccount = 50;

/**
 * The devices that an account was used from. A browser is known by its device cookie; a client without cookies by its user agent and network,
 * so that a script that signs in every hour is one device.
 */
@Injectable()
export class KnownDeviceService {
  constructor(
    private readonly devices: AccountDeviceRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Remembers the device. Returns true if the account was used from other devices before but not from this one: its owner should be told.
   */
  async remember(
    tx: EntityManager,
    accountId: string,
    { device, userAgent, address }: Client,
  ): Promise<boolean> {
    const byCookie = device && hashOf(`cookie ${device.id}`);
    const byPlace = hashOf(JSON.stringify(['place', userAgent, clientNetwork(address)]));
    const shown = device && !device.isNew ? byCookie! : byPlace;
    const { known, used } = await this.devices.findHistory(tx, accountId, shown);
    for (const hash of byCookie ? [byCookie, byPlace] : [byPlace])
      await this.devices.upsert(tx, accountId, hash, this.clock.now());
    await this.devices.keepNewest(tx, accountId, maxDevicesPerAccount);
    return used && !known;
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
