import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDeviceEntity } from './account-device.entity.js';

@Injectable()
export class AccountDeviceRepository {
  /** Whether the account was used from this device before, and whether from any device. */
  async findHistory(
    tx: EntityManager,
    accountId: string,
    deviceHash: Buffer,
  ): Promise<{ known: boolean; used: boolean }> {
    const [row] = await tx.sql<[{ known: boolean | null; used: boolean }]>`
      SELECT bool_or(device_hash = ${deviceHash}) AS known, count(*) > 0 AS used
      FROM account_devices WHERE account_id = ${accountId}`;
    return { known: row.known ?? false, used: row.used };
  }

  async upsert(tx: EntityManager, accountId: string, deviceHash: Buffer, lastSeenAt: Date): Promise<void> {
    await tx.upsert(AccountDeviceEntity, { accountId, deviceHash, lastSeenAt }, ['accountId', 'deviceHash']);
  }

  /** Deletes all but the `count` devices that were seen last. */
  async keepNewest(tx: EntityManager, accountId: string, count: number): Promise<void> {
    await tx.sql`
      DELETE FROM account_devices WHERE account_id = ${accountId} AND device_hash IN (
        SELECT device_hash FROM account_devices WHERE account_id = ${accountId}
        ORDER BY last_seen_at DESC OFFSET ${count})`;
  }

  async deleteAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(AccountDeviceEntity, { accountId });
  }
}
