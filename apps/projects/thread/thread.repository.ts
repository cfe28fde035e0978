import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { ThreadEntryEntity } from '../entry/thread-entry.entity.js';
import {
  type PartRequest,
  type PartRow,
  partOf,
  type Position,
  selectionOf,
  type ThreadPart,
} from './thread-part.js';
import type { MessageRow, ThreadRow } from './thread.view.js';

export interface ReaderKey {
  projectId: string;
  accountId: string;
}

/** The columns of an entry `e` and of the message `q` that it answers. */
export const threadColumnsSql = `
  e.kind, e.seq, e.change, e.side, e.account_id AS "accountId", e.name, e.at, e.text, e.message_id AS id,
  e.what, e.state, e.deliverable_id AS "deliverableId", e.folded, e.by_mail AS "byMail",
  e.edited_at AS "editedAt", e.deleted_at AS "deletedAt",
  q.message_id AS "quoteId", q.name AS "quoteName", left(q.text, 300) AS "quoteText"`;

/** A lateral join looks `q` up for the requested entries only. */
export const threadEntriesSql = `
  thread_entries e LEFT JOIN LATERAL (
    SELECT * FROM thread_entries a WHERE a.message_id = e.quote_id AND a.project_id = e.project_id LIMIT 1) q ON true`;

/**
 * SQL for the `Position` of a customer or colleague `a` in a project `p`. Entries for staff do not change it. A
 * customer can notice that the numbers of these entries are missing, but not what the entries say (ADR 21).
 */
const positionSql = `
  coalesce((SELECT max(e.change) FROM thread_entries e WHERE e.project_id = p.id), 0) AS change,
  coalesce((SELECT r.read_seq FROM readers r
    WHERE r.project_id = p.id AND r.account_id = a.account_id AND r.side = 'customer'), 0) AS "readSeq",
  coalesce((SELECT max(e.seq) FROM thread_entries e WHERE e.project_id = p.id AND e.seq <= (
    SELECT max(r.read_seq) FROM readers r WHERE r.project_id = p.id AND r.side = 'staff')), 0) AS "othersReadSeq"`;

/** What the customer’s side reads: `thread_entries`, and never `staff_entries`. */
@Injectable()
export class ThreadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads the entries and the position in one statement, so that they match. */
  async part({ projectId, accountId }: ReaderKey, request: PartRequest): Promise<ThreadPart<ThreadRow>> {
    const { column, operator, bound, direction, atMost } = selectionOf(request);
    const rows = await this.dataSource.sql<PartRow<ThreadRow>[]>`
      WITH part AS (
        SELECT ${() => threadColumnsSql} FROM ${() => threadEntriesSql}
        WHERE e.project_id = ${projectId} AND e.${() => column} ${() => operator} ${bound}::integer
        ORDER BY e.${() => column} ${() => direction} LIMIT ${atMost}
      ), position AS (
        SELECT ${() => positionSql},
          coalesce((SELECT max(e.seq) FROM thread_entries e WHERE e.project_id = p.id), 0) AS "lastSeq"
        FROM (SELECT ${projectId}::uuid AS id) p, (SELECT ${accountId}::uuid AS account_id) a
      )
      SELECT part.*, position.change AS "lastChange", position."readSeq", position."othersReadSeq", position."lastSeq"
      FROM position LEFT JOIN part ON true ORDER BY part.${() => column} ${() => direction}`;
    return partOf(rows, request);
  }

  /** In the order of the readers; null for those who may not read the thread, by the same rules as `ProjectAccess.forCustomer`. */
  positions(readers: readonly ReaderKey[]): Promise<(Position | null)[]> {
    const mayReadSql = `p.account_id = a.account_id OR EXISTS (
      SELECT 1 FROM team_members m
      WHERE m.owner_id = p.account_id AND m.account_id = a.account_id AND m.role = 'member')`;
    return readPositions(this.dataSource, readers, { positionSql, mayReadSql });
  }

  async getMessageRow(tx: EntityManager, messageId: string): Promise<MessageRow> {
    const [row] = await tx.sql<[MessageRow]>`
      SELECT ${() => threadColumnsSql} FROM ${() => threadEntriesSql} WHERE e.message_id = ${messageId}`;
    return row;
  }

  /** Null for an unknown or malformed id, and for a message of another project. */
  async findMessage(
    tx: EntityManager,
    projectId: string,
    messageId: string,
  ): Promise<ThreadEntryEntity | null> {
    if (!isUuid(messageId)) return null;
    return tx.findOneBy(ThreadEntryEntity, { projectId, messageId, kind: 'message' });
  }

  async updateMessage(
    tx: EntityManager,
    { projectId, seq }: ThreadEntryEntity,
    fields: Partial<ThreadEntryEntity>,
  ): Promise<void> {
    await tx.update(ThreadEntryEntity, { projectId, seq }, fields);
  }
}

/**
 * In the order of the readers; null for a malformed id, an unknown project, and a reader who may not read the thread. The SQL is
 * about a project `p` and a reader `a`.
 */
export async function readPositions(
  dataSource: DataSource,
  readers: readonly ReaderKey[],
  { positionSql, mayReadSql }: { positionSql: string; mayReadSql: string },
): Promise<(Position | null)[]> {
  const wellFormed = readers
    .map((reader, index) => ({ ...reader, index }))
    .filter(({ projectId, accountId }) => isUuid(projectId) && isUuid(accountId));
  const rows = await dataSource.sql<(Position & { index: number })[]>`
    SELECT a.index, ${() => positionSql}
    FROM unnest(${wellFormed.map(({ projectId }) => projectId)}::uuid[],
      ${wellFormed.map(({ accountId }) => accountId)}::uuid[],
      ${wellFormed.map(({ index }) => index)}::integer[]) AS a (project_id, account_id, index)
    JOIN projects p ON p.id = a.project_id
    WHERE ${() => mayReadSql}`;
  const positions = new Array<Position | null>(readers.length).fill(null);
  for (const { index, ...position } of rows) positions[index] = position;
  return positions;
}
