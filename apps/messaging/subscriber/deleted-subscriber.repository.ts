import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
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

  /** Lock the record first. */
  async update(tx: EntityManager, id: string, fields: Partial<SubscriberEntity>): Promise<void> {
    const columns = columnsOf(tx)
      .filter(({ propertyName }) => propertyName in fields)
      .map(({ propertyName, databaseName }) => [
        databaseName,
        fields[propertyName as keyof SubscriberEntity],
      ]);
    await tx.sql`
      UPDATE deleted_records SET record = record || ${Object.fromEntries(columns)}::jsonb
      WHERE source = 'subscribers' AND id = ${id}`;
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
