import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { bulkFailureOf, type BulkOutcome, bulkOutcomeOf } from '#libs/contracts';

/** Tables whose records can be deleted and brought back. */
type Source = 'messages' | 'subscribers';

/** So long a deletion can be undone. After it, what was deleted is nowhere. */
const undoFor = `interval '1 hour'`;

/** Rows of one statement, so that locks stay short. */
const batch = 1000;

/**
 * Deleted messages and subscribers, whole, for as long as somebody may think better of it. Lists, searches, files and mails know nothing of
 * them.
 */
@Injectable()
export class DeletedRecords {
  constructor(private readonly dataSource: DataSource) {}

  /** Takes records that the caller holds locked out of their table. */
  async take(tx: EntityManager, source: Source, ids: readonly string[]): Promise<void> {
    await tx.query(
      `WITH gone AS (DELETE FROM ${source} WHERE id = ANY($2::uuid[]) RETURNING *)
       INSERT INTO deleted_records (source, id, record, deleted_at)
       SELECT $1, gone.id, to_jsonb(gone), clock_timestamp() FROM gone`,
      [source, ids],
    );
  }

  /**
   * Puts them back under their ids, each as a version of its own. Done are also those that were back already. Of each: NOT_FOUND, DUPLICATE
   * where another record has taken its place.
   */
  async bringBack(
    tx: EntityManager,
    source: Source,
    ids: readonly string[],
  ): Promise<{ restored: string[]; outcome: BulkOutcome }> {
    const kept = await tx.query<{ id: string }[]>(
      `SELECT id FROM deleted_records
       WHERE source = $1 AND id = ANY($2::uuid[]) AND deleted_at > clock_timestamp() - ${undoFor}
       ORDER BY id FOR UPDATE`,
      [source, ids],
    );
    const keptIds = kept.map(({ id }) => id);
    const columns = await columnsOf(tx, source);
    const rows = await tx.query<{ id: string }[]>(
      `INSERT INTO ${source} (${columns.join(', ')})
       SELECT ${columns.map((column) => `was.${column}`).join(', ')}
       FROM deleted_records AS d, jsonb_populate_record(NULL::${source}, d.record || jsonb_build_object(
         'version', (d.record->>'version')::int + 1, 'updated_at', clock_timestamp())) AS was
       WHERE d.source = $1 AND d.id = ANY($2::uuid[])
       ON CONFLICT DO NOTHING RETURNING id`,
      [source, keptIds],
    );
    const restored = rows.map(({ id }) => id);
    await tx.query(`DELETE FROM deleted_records WHERE source = $1 AND id = ANY($2::uuid[])`, [
      source,
      restored,
    ]);
    const there = await tx.query<{ id: string }[]>(`SELECT id FROM ${source} WHERE id = ANY($1::uuid[])`, [
      ids,
    ]);
    const { done, failed } = bulkOutcomeOf(ids, there);
    const reasons = failed.map(({ _id }) =>
      keptIds.includes(_id)
        ? bulkFailureOf(_id, 'DUPLICATE')
        : bulkFailureOf(
            _id,
            'NOT_FOUND',
            'This can’t be restored. It doesn’t exist, or it was deleted more than an hour ago.',
          ),
    );
    return { restored, outcome: { done, failed: reasons } };
  }

  /** Deletes for good what can no longer be brought back. Replicas may do so at once. */
  async sweep(): Promise<void> {
    for (;;) {
      const [, deleted] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM deleted_records WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM deleted_records WHERE deleted_at < clock_timestamp() - ${undoFor}
           LIMIT ${batch} FOR UPDATE SKIP LOCKED))`,
      );
      if (deleted < batch) return;
    }
  }
}

/** Those that are not made by the database itself. */
async function columnsOf(tx: EntityManager, source: Source): Promise<string[]> {
  const rows = await tx.query<{ name: string }[]>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [source],
  );
  return rows.map(({ name }) => name);
}
