import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SubscriberStatus } from '#libs/contracts';
import { SubscriberEntity } from './subscriber.entity.js';

/** Subscribers whom an admin can still restore. They can change meanwhile: someone who unsubscribes stays unsubscribed when restored. */
@Injectable()
export class DeletedSubscriberRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** With `tx`, locks the record until the transaction ends. */
  async find(id: string, tx?: EntityManager): Promise<SubscriberEntity | null> {
    const manager = tx ?? this.dataSource.manager;
    // `jsonb_populate_record` is in the SELECT list, which Postgres evaluates after locking the row. In FROM, it would read the unlocked record.
    const [row] = await manager.sql<Record<string, unknown>[]>`
      SELECT (jsonb_populate_record(NULL::subscribers, record)).* FROM deleted_records
      WHERE source = 'subscribers' AND id = ${id} ${() => (tx ? 'FOR UPDATE' : '')}`;
    if (!row) return null;
    const fields = columnsOf(manager).map(({ propertyName, databaseName }) => [
      propertyName,
      row[databaseName],
    ]);
    return manager.create(SubscriberEntity, Object.fromEntries(fields) as Partial<SubscriberEntity>);
  }

  /**
   * Oldest deletion first; an address can be deleted several times. Somebody who unsubscribed and has not confirmed since counts as unsubscribed.
   * `addresses` are in lower case. The records stay locked until the transaction ends, so nobody can be unsubscribed meanwhile.
   */
  lockStatuses(
    tx: EntityManager,
    addresses: readonly string[],
  ): Promise<{ address: string; status: SubscriberStatus }[]> {
    return tx.sql`
      WITH locked AS (
        SELECT record, deleted_at FROM deleted_records
        WHERE source = 'subscribers' AND record->>'email_normalized' = ANY (${addresses}::text[])
        ORDER BY id FOR SHARE)
      SELECT record->>'email_normalized' AS address, CASE
        WHEN record->>'status' = 'pending' AND record->>'unsubscribed_at' IS NOT NULL THEN 'unsubscribed'
        ELSE record->>'status' END AS status
      FROM locked ORDER BY deleted_at`;
  }

  /**
   * `address` is in lower case. A suppressed subscriber stays suppressed, and is unsubscribed when the suppression is lifted. The new `link_round`
   * makes earlier confirmation links stop working.
   */
  async unsubscribe(tx: EntityManager, address: string, at: Date): Promise<void> {
    await tx.sql`
      UPDATE deleted_records SET record = record || jsonb_build_object(
        CASE record->>'status' WHEN 'suppressed' THEN 'status_unsuppressed' ELSE 'status' END, 'unsubscribed',
        'unsubscribed_at', ${at}::timestamptz, 'link_round', (record->>'link_round')::int + 1)
      WHERE source = 'subscribers' AND record->>'email_normalized' = ${address}
        AND coalesce(record->>'status_unsuppressed', record->>'status') <> 'unsubscribed'`;
  }

  /** False if there is no such address, or it is already suppressed. */
  async suppress(tx: EntityManager, address: string, reason: string): Promise<boolean> {
    const [, suppressed] = await tx.sql<[unknown, number]>`
      UPDATE deleted_records SET record = record || jsonb_build_object('status', 'suppressed',
        'status_unsuppressed', record->>'status', 'suppressed_at', now(), 'suppressed_reason', ${reason}::text)
      WHERE source = 'subscribers' AND record->>'email_normalized' = ${address} AND record->>'status' <> 'suppressed'`;
    return suppressed > 0;
  }
}

const columnsOf = (manager: EntityManager) => manager.getRepository(SubscriberEntity).metadata.columns;
