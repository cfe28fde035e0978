import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Side } from './reader.entity.js';

/** How long a message must be unread before its readers are mailed. */
export const unreadMs = 5 * 60_000;

export interface UnreadCheck {
  projectId: string;
  side: Side;
  /** The last entry about which all admins were mailed, because nobody was assigned. */
  adminsMailedSeq: number;
}

/** Spans messages that a reader has neither read nor been mailed about. If nobody is assigned, the reader is all admins: `accountId` is null. */
export interface UnreadRange {
  accountId: string | null;
  afterSeq: number;
  upToSeq: number;
  /** When the first of them was written. */
  since: Date;
}

export interface MailedMessage {
  id: string;
  /** Null if the account was deleted. */
  accountId: string | null;
  name: string;
  at: Date;
  text: string;
}

/** `unread_checks` has no entity, because a check is only scheduled, locked when it is due, and finished. */
@Injectable()
export class UnreadCheckRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** For a message to `side` that was written at `writtenAt`. Does nothing if an earlier check is scheduled. */
  async schedule(tx: EntityManager, projectId: string, side: Side, writtenAt: Date): Promise<void> {
    await tx.sql`
      INSERT INTO unread_checks AS c (project_id, side, due_at)
      VALUES (${projectId}, ${side}, ${new Date(writtenAt.getTime() + unreadMs)})
      ON CONFLICT (project_id, side) DO UPDATE SET due_at = least(c.due_at, excluded.due_at)`;
  }

  /** The check stays locked until the transaction ends, so other replicas skip it. */
  async lockDue(tx: EntityManager, now: Date): Promise<UnreadCheck | undefined> {
    const [check] = await tx.sql<UnreadCheck[]>`
      SELECT project_id AS "projectId", side, admins_mailed_seq AS "adminsMailedSeq" FROM unread_checks
      WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
    return check;
  }

  /** `dueAt` is the time of the next check; null to wait for the next message. */
  async finish(
    tx: EntityManager,
    { projectId, side, adminsMailedSeq }: UnreadCheck,
    dueAt: Date | null,
  ): Promise<void> {
    await tx.sql`
      UPDATE unread_checks SET due_at = ${dueAt}, admins_mailed_seq = ${adminsMailedSeq}
      WHERE project_id = ${projectId} AND side = ${side}`;
  }

  /**
   * For each reader, the other side's messages that they have not read and were not mailed about. On the customer's side, the readers are the
   * customer and colleagues with the role `member`. On the staff side, the readers are the assigned people. If there are none, all admins together
   * are one reader: what one admin has read counts as read by all. For a single person, their own messages are left out: an admin may also be the
   * project's customer.
   */
  async listUnread(
    tx: EntityManager,
    { projectId, side, adminsMailedSeq }: UnreadCheck,
  ): Promise<UnreadRange[]> {
    return tx.sql<UnreadRange[]>`
      WITH people AS (
        SELECT p.account_id FROM projects p WHERE p.id = ${projectId} AND ${side}::text = 'customer'
        UNION
        SELECT m.account_id FROM projects p JOIN team_members m ON m.owner_id = p.account_id AND m.role = 'member'
        WHERE p.id = ${projectId} AND ${side}::text = 'customer'
        UNION
        SELECT a.account_id FROM project_assignees a WHERE a.project_id = ${projectId} AND ${side}::text = 'staff'
      ), marks AS (
        SELECT p.account_id, greatest(coalesce(r.read_seq, 0), coalesce(r.mailed_seq, 0), ${adminsMailedSeq}::integer) AS seq
        FROM people p LEFT JOIN readers r
          ON r.project_id = ${projectId} AND r.account_id = p.account_id AND r.side = ${side}
        UNION ALL
        SELECT NULL, greatest(${adminsMailedSeq}::integer, (
          SELECT max(r.read_seq) FROM readers r WHERE r.project_id = ${projectId} AND r.side = ${side}))
        WHERE ${side}::text = 'staff' AND NOT EXISTS (SELECT 1 FROM people)
      )
      SELECT m.account_id AS "accountId", m.seq AS "afterSeq", max(e.seq) AS "upToSeq", min(e.at) AS since
      FROM marks m JOIN thread_entries e ON e.project_id = ${projectId} AND e.seq > m.seq
      WHERE e.kind = 'message' AND e.side = ${otherSide(side)} AND e.deleted_at IS NULL
        AND (m.account_id IS NULL OR e.account_id IS DISTINCT FROM m.account_id)
      GROUP BY m.account_id, m.seq`;
  }

  async markMailed(
    tx: EntityManager,
    { projectId, side }: UnreadCheck,
    accountId: string,
    seq: number,
  ): Promise<void> {
    await tx.sql`
      INSERT INTO readers AS r (project_id, account_id, side, mailed_seq)
      VALUES (${projectId}, ${accountId}, ${side}, ${seq})
      ON CONFLICT (project_id, account_id, side) DO UPDATE SET mailed_seq = greatest(r.mailed_seq, excluded.mailed_seq)`;
  }

  /**
   * For somebody who was just assigned, or got the role `member` in the owner's team: they are not mailed about messages written up to `until`.
   * Stores a row even if the project has no entries, because `DeletedAccountRepository` finds the projects of former assignees by their rows in
   * `readers`.
   */
  async markEarlierAsMailed(
    tx: EntityManager,
    { accountId, side }: { accountId: string; side: Side },
    of: { projectId: string } | { ownerId: string },
    until: Date,
  ): Promise<void> {
    const [projectId, ownerId] = 'projectId' in of ? [of.projectId, null] : [null, of.ownerId];
    await tx.sql`
      INSERT INTO readers AS r (project_id, account_id, side, mailed_seq)
      SELECT p.id, ${accountId}, ${side}, coalesce(max(e.seq), 0)
      FROM projects p LEFT JOIN thread_entries e ON e.project_id = p.id AND e.at <= ${until}
      WHERE p.id = ${projectId}::uuid OR p.account_id = ${ownerId}::uuid
      GROUP BY p.id
      ON CONFLICT (project_id, account_id, side) DO UPDATE SET mailed_seq = greatest(r.mailed_seq, excluded.mailed_seq)`;
  }

  /** The unread messages after `afterSeq`, up to `upToSeq`: the last `limit` of them in thread order, and the `total` of all. */
  async listMessages(
    { projectId, side, accountId }: { projectId: string; side: Side; accountId: string },
    { afterSeq, upToSeq }: { afterSeq: number; upToSeq: number },
    limit: number,
  ): Promise<{ messages: MailedMessage[]; total: number }> {
    const rows = await this.dataSource.sql<(MailedMessage & { total: string })[]>`
      SELECT e.message_id AS id, e.account_id AS "accountId", e.name, e.at, e.text, count(*) OVER () AS total
      FROM thread_entries e
      WHERE e.project_id = ${projectId} AND e.kind = 'message' AND e.side = ${otherSide(side)} AND e.deleted_at IS NULL
        AND e.account_id IS DISTINCT FROM ${accountId} AND e.seq <= ${upToSeq}
        AND e.seq > greatest(${afterSeq}::integer, (
          SELECT r.read_seq FROM readers r
          WHERE r.project_id = ${projectId} AND r.account_id = ${accountId} AND r.side = ${side}))
      ORDER BY e.seq DESC LIMIT ${limit}`;
    return { messages: rows.toReversed(), total: Number(rows[0]?.total ?? 0) };
  }
}

function otherSide(side: Side): Side {
  return side === 'staff' ? 'customer' : 'staff';
}
