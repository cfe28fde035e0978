import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { ImportRefusal, SubscriberImport } from '#libs/contracts';

// These are functions, because TypeORM's `sql` tag inserts a function's result verbatim.
/** An import that is not continued for this long counts as stopped. */
const stoppedAfter = () => `interval '1 minute'`;
/** Each new import deletes older refused rows, because they may contain addresses of people who are not on the list. */
const refusalsKeptFor = () => `interval '30 days'`;

export interface HandledBatch {
  rows: number;
  added: number;
  refused: number;
  isLast: boolean;
}

type StoredImport = Omit<SubscriberImport, '_id' | 'refusals' | 'createdAt'> & { createdAt: Date };

/** There are no entities, because statements increase an import's counts, and its state depends on the time. */
@Injectable()
export class SubscriberImportRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(
    tx: EntityManager,
    { id, name, consent, rows }: { id: string; name: string; consent: string; rows: number },
  ): Promise<void> {
    await tx.sql`
      INSERT INTO subscriber_imports (id, name, consent, rows_total)
      VALUES (${id}, ${name}, ${consent}, ${rows})`;
  }

  async find(
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Omit<SubscriberImport, 'refusals'> | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await manager.sql<StoredImport[]>`
      SELECT name, consent, rows_total AS rows, rows_done AS done, added, refused, created_at AS "createdAt",
        CASE WHEN finished_at IS NOT NULL THEN 'finished'
          WHEN updated_at < now() - ${stoppedAfter} THEN 'stopped' ELSE 'running' END AS state
      FROM subscriber_imports WHERE id = ${id}`;
    return row && { ...row, _id: id, createdAt: row.createdAt.toISOString() };
  }

  /** Locks the import until the transaction ends. `consent` is how and when its subscribers consented, as the admin stated. */
  async lock(tx: EntityManager, id: string): Promise<{ consent: string } | undefined> {
    const [row] = await tx.sql<{ consent: string }[]>`
      SELECT consent FROM subscriber_imports WHERE id = ${id} FOR UPDATE`;
    return row;
  }

  /** Returns how many rows of the file have been handled so far. */
  async addProgress(
    tx: EntityManager,
    id: string,
    { rows, added, refused, isLast }: HandledBatch,
  ): Promise<number> {
    const [[{ done }]] = await tx.sql<[[{ done: number }], number]>`
      UPDATE subscriber_imports SET rows_done = rows_done + ${rows}, added = added + ${added}, refused = refused + ${refused},
        updated_at = now(), finished_at = CASE WHEN ${isLast} THEN now() END
      WHERE id = ${id} RETURNING rows_done AS done`;
    return done;
  }

  async insertRefusals(tx: EntityManager, id: string, refusals: readonly ImportRefusal[]): Promise<void> {
    await tx.sql`
      INSERT INTO subscriber_import_refusals (import_id, line, text, reason)
      SELECT ${id}, * FROM unnest(
        ${refusals.map(({ line }) => line)}::int[], ${refusals.map(({ text }) => text)}::text[],
        ${refusals.map(({ reason }) => reason)}::text[])`;
  }

  /** In the order of the file, after this line. */
  refusalsAfter(
    id: string,
    line: number,
    limit: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ImportRefusal[]> {
    return manager.sql`
      SELECT line, text, reason FROM subscriber_import_refusals
      WHERE import_id = ${id} AND line > ${line} ORDER BY line LIMIT ${limit}`;
  }

  async deleteOldRefusals(tx: EntityManager): Promise<void> {
    await tx.sql`
      DELETE FROM subscriber_import_refusals WHERE import_id IN
        (SELECT id FROM subscriber_imports WHERE created_at < now() - ${refusalsKeptFor})`;
  }

  /** `address` is in lower case. Deletes the refused rows that contain it, alone or in other text such as `Ada <ada@example.com>`. */
  async deleteForPerson(tx: EntityManager, address: string): Promise<void> {
    const literal = address.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
    // Not a part of a longer address, such as `xada@example.com` or `ada@example.com.au`.
    const pattern = String.raw`(?<![[:alnum:]._+-])${literal}(?!\.?[[:alnum:]-])`;
    await tx.sql`
      DELETE FROM subscriber_import_refusals
      WHERE strpos(lower(text), ${address}) > 0 AND lower(text) ~ ${pattern}`;
  }
}
