import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

export interface LeasedTask {
  fileId: string;
  lease: string;
  /** Including the current try. */
  tries: number;
}

/** A task is a file that `FileWorker` has to examine. `file_tasks` has no entity, because only this class reads and writes it. */
@Injectable()
export class FileTaskRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, fileId: string): Promise<void> {
    await tx.sql`INSERT INTO file_tasks (file_id) VALUES (${fileId}) ON CONFLICT DO NOTHING`;
  }

  async lease(count: number, leaseMs: number): Promise<LeasedTask[]> {
    const [rows] = await this.dataSource.sql<[LeasedTask[], number]>`
      UPDATE file_tasks
      SET lease = ${randomUUID()}, leased_until = now() + ${leaseMs} * interval '1 ms', tries = tries + 1
      WHERE file_id IN (
        SELECT file_id FROM file_tasks
        WHERE next_try_at <= now() AND (leased_until IS NULL OR leased_until < now())
        ORDER BY next_try_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING file_id AS "fileId", lease, tries`;
    return rows;
  }

  async renew(tasks: readonly LeasedTask[], leaseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE file_tasks SET leased_until = now() + ${leaseMs} * interval '1 ms'
      WHERE lease = ANY (${tasks.map(({ lease }) => lease)}::uuid[])`;
  }

  async postpone({ fileId, lease }: LeasedTask, pauseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE file_tasks SET lease = NULL, leased_until = NULL, next_try_at = now() + ${pauseMs} * interval '1 ms'
      WHERE file_id = ${fileId} AND lease = ${lease}`;
  }

  /** Does nothing if another process has the lease by now. */
  async finish({ fileId, lease }: LeasedTask): Promise<void> {
    await this.dataSource.sql`DELETE FROM file_tasks WHERE file_id = ${fileId} AND lease = ${lease}`;
  }
}
