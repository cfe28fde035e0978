import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { bulkFailureOf, type BulkOutcome, bulkOutcomeOf } from '#libs/contracts';

export type DeletableTable = 'messages' | 'subscribers';

/** A function, because TypeORM's `sql` tag inserts a function's result verbatim. */
const undoInterval = () => `interval '1 hour'`;

/** SQL for the address of the message's sender, or of the subscriber. */
export const deletedRecordAddressSql = `coalesce(record->>'email_address', record->>'email')`;

const batchSize = 1000;

/**
 * Messages and subscribers, as JSON, while their deletion can be undone. Lists, searches, exports and mails do not see them. There is no entity,
 * because each `record` is a whole row of another table.
 */
@Injectable()
export class DeletedRecordRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Deletes the records from their table and keeps them here. Lock them first. */
  async moveFrom(tx: EntityManager, source: DeletableTable, ids: readonly string[]): Promise<void> {
    await tx.sql`
      WITH deleted AS (DELETE FROM ${() => source} WHERE id = ANY (${ids}::uuid[]) RETURNING *)
      INSERT INTO deleted_records (source, id, record, deleted_at)
      SELECT ${source}, deleted.id, to_jsonb(deleted), clock_timestamp() FROM deleted`;
  }

  /**
   * Restoring a record increases its version. Records that were not deleted count as done. Records that cannot be restored fail with NOT_FOUND, or
   * with DUPLICATE if another record has taken their place.
   */
  async restore(
    tx: EntityManager,
    source: DeletableTable,
    ids: readonly string[],
  ): Promise<{ restoredIds: string[]; outcome: BulkOutcome }> {
    const kept = await tx.sql<{ id: string }[]>`
      SELECT id FROM deleted_records
      WHERE source = ${source} AND id = ANY (${ids}::uuid[]) AND deleted_at > clock_timestamp() - ${undoInterval}
      ORDER BY id FOR UPDATE`;
    const keptIds = kept.map(({ id }) => id);
    const columns = await columnsOf(tx, source);
    const rows = await tx.sql<{ id: string }[]>`
      INSERT INTO ${() => source} (${() => columns.join(', ')})
      SELECT ${() => columns.map((column) => `deleted.${column}`).join(', ')}
      FROM deleted_records, jsonb_populate_record(NULL::${() => source}, record || jsonb_build_object(
        'version', (record->>'version')::int + 1, 'updated_at', clock_timestamp())) AS deleted
      WHERE deleted_records.source = ${source} AND deleted_records.id = ANY (${keptIds}::uuid[])
      ON CONFLICT DO NOTHING RETURNING id`;
    const restoredIds = rows.map(({ id }) => id);
    await tx.sql`DELETE FROM deleted_records WHERE source = ${source} AND id = ANY (${restoredIds}::uuid[])`;
    const existing = await tx.sql<{ id: string }[]>`
      SELECT id FROM ${() => source} WHERE id = ANY (${ids}::uuid[])`;
    const { done, failed } = bulkOutcomeOf(ids, existing);
    const failures = failed.map(({ _id }) =>
      keptIds.includes(_id)
        ? bulkFailureOf(_id, 'DUPLICATE')
        : bulkFailureOf(
            _id,
            'NOT_FOUND',
            'This can’t be restored. It doesn’t exist, or it was deleted more than an hour ago.',
          ),
    );
    return { restoredIds, outcome: { done, failed: failures } };
  }

  async deleteExpired(): Promise<void> {
    let deleted: number;
    do {
      [, deleted] = await this.dataSource.sql<[unknown, number]>`
        DELETE FROM deleted_records WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM deleted_records WHERE deleted_at < clock_timestamp() - ${undoInterval}
          LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`;
    } while (deleted === batchSize);
  }

  /** `address` is in lower case. */
  async deleteForPerson(tx: EntityManager, address: string): Promise<void> {
    await tx.sql`
      DELETE FROM deleted_records
      WHERE lower(${() => deletedRecordAddressSql}) = ${address}`;
  }
}

async function columnsOf(tx: EntityManager, source: DeletableTable): Promise<string[]> {
  const rows = await tx.sql<{ name: string }[]>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = ${source}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;
  return rows.map(({ name }) => name);
}
