import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SubscriberEntity } from './subscriber.entity.js';

/** Subscribers whom an admin may yet put back. What they have said themselves counts meanwhile: whoever leaves is not there again. */
@Injectable()
export class DeletedSubscribers {
  /** As they were when they were deleted, or have become since. */
  async find(
    manager: EntityManager,
    id: string,
    { locked }: { locked: boolean },
  ): Promise<SubscriberEntity | null> {
    const [row] = await manager.query<Record<string, unknown>[]>(
      // What is selected is read once the row is locked: not so what stands in FROM.
      `SELECT (jsonb_populate_record(NULL::subscribers, record)).* FROM deleted_records
       WHERE source = 'subscribers' AND id = $1 ${locked ? 'FOR UPDATE' : ''}`,
      [id],
    );
    if (!row) return null;
    const fields = columnsOf(manager).map(({ propertyName, databaseName }) => [
      propertyName,
      row[databaseName],
    ]);
    return manager.create(SubscriberEntity, Object.fromEntries(fields) as Partial<SubscriberEntity>);
  }

  /** The caller has them locked. */
  async change(tx: EntityManager, id: string, fields: Partial<SubscriberEntity>): Promise<void> {
    const columns = columnsOf(tx)
      .filter(({ propertyName }) => propertyName in fields)
      .map(({ propertyName, databaseName }) => [
        databaseName,
        fields[propertyName as keyof SubscriberEntity],
      ]);
    await tx.query(
      `UPDATE deleted_records SET record = record || $2::jsonb WHERE source = 'subscribers' AND id = $1`,
      [id, JSON.stringify(Object.fromEntries(columns))],
    );
  }
}

const columnsOf = (manager: EntityManager) => manager.getRepository(SubscriberEntity).metadata.columns;
