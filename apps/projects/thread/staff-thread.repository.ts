import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { StaffEntryEntity } from '../entry/staff-entry.entity.js';
import {
  type PartRequest,
  type PartRow,
  partOf,
  type Position,
  selectionOf,
  type ThreadPart,
} from './thread-part.js';
import { type ReaderKey, readPositions, threadColumnsSql, threadEntriesSql } from './thread.repository.js';
import type { NoteRow, StaffThreadRow } from './thread.view.js';

/** The columns of an entry `s` in `staff_entries`, with the names and the order of `threadColumnsSql`. */
const staffColumnsSql = `
  s.kind, s.seq, s.change, 'staff' AS side, s.account_id AS "accountId", s.name, s.at, s.text, s.note_id AS id,
  NULL AS what, NULL AS state, NULL::uuid AS "deliverableId", NULL AS folded, false AS "byMail",
  s.edited_at AS "editedAt", s.deleted_at AS "deletedAt",
  NULL::uuid AS "quoteId", NULL AS "quoteName", NULL AS "quoteText"`;

/**
 * SQL for the `Position` of a reader `a` among the staff in a project `p`. An entry that is new or changes increments `projects.seq` and gets the new
 * number as its `change`, so `p.seq` is the greatest `change`.
 */
const positionSql = `
  p.seq AS change,
  coalesce((SELECT r.read_seq FROM readers r
    WHERE r.project_id = p.id AND r.account_id = a.account_id AND r.side = 'staff'), 0) AS "readSeq",
  coalesce((SELECT max(r.read_seq) FROM readers r
    WHERE r.project_id = p.id AND r.side = 'customer'), 0) AS "othersReadSeq"`;

/**
 * Unlike `ThreadRepository`, reads `staff_entries`, so only handlers for staff may use it. Exception: `positions` is for a handler that only the
 * gateway can call.
 */
@Injectable()
export class StaffThreadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads the entries and the position in one statement, so that they match. */
  async part({ projectId, accountId }: ReaderKey, request: PartRequest): Promise<ThreadPart<StaffThreadRow>> {
    const { column, operator, bound, direction, atMost } = selectionOf(request);
    const rows = await this.dataSource.sql<PartRow<StaffThreadRow>[]>`
      WITH part AS (
        (SELECT ${() => threadColumnsSql} FROM ${() => threadEntriesSql}
          WHERE e.project_id = ${projectId} AND e.${() => column} ${() => operator} ${bound}::integer
          ORDER BY e.${() => column} ${() => direction} LIMIT ${atMost})
        UNION ALL
        (SELECT ${() => staffColumnsSql} FROM staff_entries s
          WHERE s.project_id = ${projectId} AND s.${() => column} ${() => operator} ${bound}::integer
          ORDER BY s.${() => column} ${() => direction} LIMIT ${atMost})
        ORDER BY ${() => column} ${() => direction} LIMIT ${atMost}
      ), position AS (
        SELECT ${() => positionSql}, greatest(0,
          (SELECT max(e.seq) FROM thread_entries e WHERE e.project_id = ${projectId}),
          (SELECT max(s.seq) FROM staff_entries s WHERE s.project_id = ${projectId})) AS "lastSeq"
        FROM projects p, (SELECT ${accountId}::uuid AS account_id) a WHERE p.id = ${projectId}
      )
      SELECT part.*, position.change AS "lastChange", position."readSeq", position."othersReadSeq", position."lastSeq"
      FROM position LEFT JOIN part ON true ORDER BY part.${() => column} ${() => direction}`;
    return partOf(rows, request);
  }

  /** In the order of the readers; null for projects that do not exist. The gateway checks that the readers are admins. */
  positions(readers: readonly ReaderKey[]): Promise<(Position | null)[]> {
    return readPositions(this.dataSource, readers, { positionSql, mayReadSql: 'true' });
  }

  async getNoteRow(tx: EntityManager, noteId: string): Promise<NoteRow> {
    const [row] = await tx.sql<[NoteRow]>`
      SELECT ${() => staffColumnsSql} FROM staff_entries s WHERE s.note_id = ${noteId}`;
    return row;
  }

  /** Null for an unknown or malformed id, and for a note of another project. */
  async findNote(tx: EntityManager, projectId: string, noteId: string): Promise<StaffEntryEntity | null> {
    if (!isUuid(noteId)) return null;
    return tx.findOneBy(StaffEntryEntity, { projectId, noteId, kind: 'note' });
  }

  async updateNote(
    tx: EntityManager,
    { projectId, seq }: StaffEntryEntity,
    fields: Partial<StaffEntryEntity>,
  ): Promise<void> {
    await tx.update(StaffEntryEntity, { projectId, seq }, fields);
  }
}
