import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Actor, type BulkOutcome, bulkOutcomeOf } from '#libs/contracts';
import {
  type AuditedChange,
  AuditTrail,
  Inbox,
  type RecordRepository,
  type VersionedRecord,
} from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { type DeletableTable, DeletedRecordRepository } from './deleted-record.repository.js';

export interface DeletableKind<R extends VersionedRecord> {
  table: DeletableTable;
  repository: RecordRepository<R>;
  /** For the audit log. */
  describe(
    record: R,
  ): Pick<AuditedChange, 'section' | 'name'> & { values: Readonly<Record<string, unknown>> };
}

@Injectable()
export class DeletionService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly deleted: DeletedRecordRepository,
  ) {}

  /** Each record may fail with NOT_FOUND. */
  deleteMany<R extends VersionedRecord>(
    kind: DeletableKind<R>,
    ids: readonly string[],
    context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const found = await kind.repository.lockMany(tx, ids);
      await this.delete(tx, kind, found, context);
      return bulkOutcomeOf(ids, found);
    });
  }

  /** Each record may fail with NOT_FOUND, or with DUPLICATE if another record has taken its place. */
  restoreMany<R extends VersionedRecord>(
    kind: DeletableKind<R>,
    ids: readonly string[],
    context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.inbox.once(context, async (tx) => {
      const { restoredIds, outcome } = await this.deleted.restore(tx, kind.table, ids);
      for (const record of await kind.repository.lockMany(tx, restoredIds))
        await this.recordChange(tx, kind, record, 'restored', context.actor);
      return outcome;
    });
  }

  /** Lock the records first. */
  async delete<R extends VersionedRecord>(
    tx: EntityManager,
    kind: DeletableKind<R>,
    records: readonly R[],
    { actor }: RequestContext,
  ): Promise<void> {
    await this.deleted.moveFrom(
      tx,
      kind.table,
      records.map(({ id }) => id),
    );
    for (const record of records) await this.recordChange(tx, kind, record, 'deleted', actor);
  }

  private recordChange<R extends VersionedRecord>(
    tx: EntityManager,
    kind: DeletableKind<R>,
    record: R,
    change: 'deleted' | 'restored',
    actor: Actor,
  ): Promise<void> {
    const { values, ...audited } = kind.describe(record);
    const [before, after] = change === 'deleted' ? [values, null] : [null, values];
    return this.audit.record(tx, actor, { ...audited, recordId: record.id, change, before, after });
  }
}
