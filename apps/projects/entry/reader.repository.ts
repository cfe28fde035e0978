import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ProjectChanges } from '../broadcast/project-changes.js';
import { ReaderEntity, type Side } from './reader.entity.js';

@Injectable()
export class ReaderRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: ProjectChanges,
  ) {}

  async countUnread(
    reader: { accountId: string; side: Side },
    projectIds: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, number>> {
    const rows = await manager.sql<{ id: string; unread: number }[]>`
      SELECT p.id, greatest(0, CASE WHEN ${reader.side}::text = 'staff' THEN p.entries_for_staff ELSE p.entries_for_customer END
        - coalesce(r.read_entries, 0)) AS unread
      FROM projects p LEFT JOIN readers r
        ON r.project_id = p.id AND r.account_id = ${reader.accountId} AND r.side = ${reader.side}
      WHERE p.id = ANY (${projectIds}::uuid[])`;
    return new Map(rows.map(({ id, unread }) => [id, unread]));
  }

  /**
   * Marks the entries up to `seq` as read. The mark never moves backwards. For customers, it never goes beyond the last entry in
   * `thread_entries`, because they cannot see those in `staff_entries`. For staff, it never goes beyond the project's `seq`.
   */
  async markRead(
    tx: EntityManager,
    projectId: string,
    reader: { accountId: string; side: Side },
    seq: number,
  ): Promise<{ readSeq: number; unread: number }> {
    const { accountId, side } = reader;
    const [row] = await tx.sql<[{ readSeq: number }]>`
      INSERT INTO readers AS r (project_id, account_id, side, read_seq, read_entries)
      SELECT p.id, ${accountId}, ${side}, least(${seq}::integer, CASE WHEN ${side}::text = 'staff' THEN p.seq ELSE coalesce((
          SELECT max(e.seq) FROM thread_entries e WHERE e.project_id = p.id), 0) END), coalesce((
        SELECT CASE WHEN ${side}::text = 'staff' THEN e.entries_for_staff ELSE e.entries_for_customer END
        FROM thread_entries e WHERE e.project_id = p.id AND e.seq <= ${seq} ORDER BY e.seq DESC LIMIT 1), 0)
      FROM projects p WHERE p.id = ${projectId}
      ON CONFLICT (project_id, account_id, side) DO UPDATE
      SET read_seq = greatest(r.read_seq, excluded.read_seq),
        read_entries = greatest(r.read_entries, excluded.read_entries)
      RETURNING read_seq AS "readSeq"`;
    this.changes.publishAfterCommit(tx, { projectId });
    const unread = (await this.countUnread(reader, [projectId], tx)).get(projectId) ?? 0;
    return { readSeq: row.readSeq, unread };
  }

  async getOrCreateReplyToken({
    projectId,
    accountId,
    side,
  }: Pick<ReaderEntity, 'projectId' | 'accountId' | 'side'>): Promise<string> {
    const [row] = await this.dataSource.sql<[{ token: string }]>`
      INSERT INTO readers AS r (project_id, account_id, side, reply_token)
      VALUES (${projectId}, ${accountId}, ${side}, ${newReplyToken()})
      ON CONFLICT (project_id, account_id, side) DO UPDATE SET reply_token = coalesce(r.reply_token, excluded.reply_token)
      RETURNING reply_token AS token`;
    return row.token;
  }

  findByToken(replyToken: string): Promise<ReaderEntity | null> {
    return this.dataSource.manager.findOneBy(ReaderEntity, { replyToken });
  }
}

/** 130 random bits in lower-case base32 (RFC 4648), because mail servers may change the letter case of an address. */
function newReplyToken(): string {
  return Array.from(randomBytes(26), (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('');
}
