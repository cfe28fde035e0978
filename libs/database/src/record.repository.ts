import {
  type DataSource,
  type DeepPartial,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  In,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError } from '#libs/contracts';
import type { Clock } from '#libs/runtime';
import { uuidv7 } from './uuid.js';
import type { VersionedRecord } from './versioned-record.js';

/** `ifVersion` is the version that the caller has seen; without it, any version is accepted. */
export interface RecordSelection {
  id: string;
  ifVersion?: number;
}

const writeLock = { mode: 'pessimistic_write' } as const;

export abstract class RecordRepository<R extends VersionedRecord> {
  protected constructor(
    protected readonly entity: EntityTarget<R>,
    protected readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** With `tx`, locks the record until the transaction ends. */
  async find(id: string, tx?: EntityManager): Promise<R | null> {
    if (!isUuid(id)) return null;
    const where = { id } as FindOptionsWhere<R>;
    return (tx ?? this.dataSource.manager).findOne(this.entity, { where, ...(tx && { lock: writeLock }) });
  }

  /** Throws NOT_FOUND. */
  async get(id: string): Promise<R> {
    const record = await this.find(id);
    if (!record) throw new DomainError('NOT_FOUND');
    return record;
  }

  /** Locks the record until the transaction ends. Throws NOT_FOUND; VERSION_MISMATCH, with the `view` of the current record. */
  async lock(
    tx: EntityManager,
    { id, ifVersion }: RecordSelection,
    view: (record: R) => unknown,
  ): Promise<R> {
    const record = await this.find(id, tx);
    if (!record) throw new DomainError('NOT_FOUND');
    if (ifVersion !== undefined && ifVersion !== record.version)
      throw new DomainError('VERSION_MISMATCH', { current: view(record) });
    return record;
  }

  /** Omits missing records. Locks in the order of the ids, which prevents deadlocks. */
  lockMany(tx: EntityManager, ids: readonly string[]): Promise<R[]> {
    return tx
      .createQueryBuilder(this.entity, 'record')
      .where({ id: In(ids) })
      .orderBy('record.id')
      .setLock(writeLock.mode)
      .getMany();
  }

  /** Makes a record without storing it. */
  make(fields: DeepPartial<R>): R {
    const now = this.clock.now();
    return this.dataSource.manager.create(this.entity, {
      ...fields,
      ...{ id: uuidv7(), version: 1, createdAt: now, updatedAt: now },
    });
  }

  async insert(tx: EntityManager, record: R): Promise<void> {
    await tx.insert(this.entity, record as QueryDeepPartialEntity<R>);
  }

  /** The caller has locked the record. Stores the fields as a new version, and also sets them in `record`. */
  async update(tx: EntityManager, record: R, fields: Partial<R>): Promise<void> {
    const changed = { ...fields, version: record.version + 1, updatedAt: this.clock.now() };
    await tx.update(this.entity, record.id, changed as QueryDeepPartialEntity<R>);
    Object.assign(record, changed);
  }
}
