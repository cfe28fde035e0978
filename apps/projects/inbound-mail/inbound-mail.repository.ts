import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { DropReason } from './drop-reason.js';

export interface LeasedInboundMail {
  /** The SHA-256 of the raw message, in hex. */
  id: string;
  /** The id of the raw message in storage. */
  fileId: string;
  receivedAt: Date;
  lease: string;
  /** Including the current try. */
  tries: number;
}

const batchSize = 1_000;

/**
 * `inbound_mails` has no entity, because leasing and finishing a mail need SQL. While a mail is leased, its `next_try_at` is the end of the lease.
 */
@Injectable()
export class InboundMailRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** False if a message with the same bytes came before. */
  async insertIfNew(tx: EntityManager, id: string, fileId: string, receivedAt: Date): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      INSERT INTO inbound_mails (id, received_at, state, file_id) VALUES (${id}, ${receivedAt}, 'stored', ${fileId})
      ON CONFLICT (id) DO NOTHING RETURNING 1`;
    return rows.length > 0;
  }

  async lease(count: number, leaseMs: number): Promise<LeasedInboundMail[]> {
    const [mails] = await this.dataSource.sql<[LeasedInboundMail[], number]>`
      UPDATE inbound_mails SET lease = ${randomUUID()}, tries = tries + 1, next_try_at = now() + ${leaseMs} * interval '1 ms'
      WHERE id IN (
        SELECT id FROM inbound_mails WHERE state = 'stored' AND next_try_at <= now()
        ORDER BY next_try_at LIMIT ${count} FOR UPDATE SKIP LOCKED)
      RETURNING id, file_id AS "fileId", received_at AS "receivedAt", lease, tries`;
    return mails;
  }

  async renew(mails: readonly LeasedInboundMail[], leaseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE inbound_mails SET next_try_at = now() + ${leaseMs} * interval '1 ms'
      FROM unnest(${mails.map(({ id }) => id)}::text[], ${mails.map(({ lease }) => lease)}::uuid[]) AS held (id, lease)
      WHERE inbound_mails.id = held.id AND inbound_mails.lease = held.lease AND state = 'stored'`;
  }

  async postpone({ id, lease }: LeasedInboundMail, pauseMs: number): Promise<void> {
    await this.dataSource.sql`
      UPDATE inbound_mails SET lease = NULL, next_try_at = now() + ${pauseMs} * interval '1 ms'
      WHERE id = ${id} AND lease = ${lease} AND state = 'stored'`;
  }

  /** Whether a message with this key was posted. `replyKey` stands for a `Message-ID` and a reply address. Lock the project first. */
  async isPosted(tx: EntityManager, replyKey: string): Promise<boolean> {
    const rows = await tx.sql<unknown[]>`
      SELECT 1 FROM inbound_mails WHERE reply_key = ${replyKey} AND state = 'posted'`;
    return rows.length > 0;
  }

  /** False if another process has the mail now. `replyKey` is null for a message without a `Message-ID`. */
  async finishPosted(
    tx: EntityManager,
    { id, lease }: LeasedInboundMail,
    projectId: string,
    replyKey: string | null,
  ): Promise<boolean> {
    const [, finished] = await tx.sql<[unknown, number]>`
      UPDATE inbound_mails SET state = 'posted', project_id = ${projectId}, reply_key = ${replyKey}, lease = NULL
      WHERE id = ${id} AND lease = ${lease} AND state = 'stored'`;
    return finished > 0;
  }

  /** False if another process has the mail now. */
  async finishDropped({ id, lease }: LeasedInboundMail, why: DropReason): Promise<boolean> {
    const [, finished] = await this.dataSource.sql<[unknown, number]>`
      UPDATE inbound_mails SET state = 'dropped', why = ${why}, lease = NULL
      WHERE id = ${id} AND lease = ${lease} AND state = 'stored'`;
    return finished > 0;
  }

  async listWaitingFileIds(fileIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.dataSource.sql<{ fileId: string }[]>`
      SELECT file_id AS "fileId" FROM inbound_mails WHERE file_id = ANY (${fileIds}::uuid[]) AND state = 'stored'`;
    return new Set(rows.map(({ fileId }) => fileId));
  }

  async deleteHandled(before: Date): Promise<void> {
    let deleted: number;
    do {
      [, deleted] = await this.dataSource.sql<[unknown, number]>`
        DELETE FROM inbound_mails WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM inbound_mails WHERE state <> 'stored' AND received_at < ${before}
          LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`;
    } while (deleted === batchSize);
  }
}
