import {
  Column,
  type EntityManager,
  type EntityTarget,
  PrimaryColumn,
  type QueryDeepPartialEntity,
} from 'typeorm';

/** The columns of every record that people change. */
export abstract class VersionedRecord {
  /** UUIDv7. */
  @PrimaryColumn('uuid')
  id!: string;

  /** 1 at creation, one more at each change. */
  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

/** Changes fields of a record that the caller has locked: in its table, as a new version, and in `record` itself. */
export async function updateRecord<R extends VersionedRecord>(
  tx: EntityManager,
  entity: EntityTarget<R>,
  record: R,
  fields: Partial<R>,
  now: Date,
): Promise<void> {
  const changed = { ...fields, version: record.version + 1, updatedAt: now };
  await tx.update(entity, record.id, changed as QueryDeepPartialEntity<R>);
  Object.assign(record, changed);
}
