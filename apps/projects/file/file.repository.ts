import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { DomainError, type ProjectFile } from '#libs/contracts';
import { Clock } from '#libs/runtime';
import { type AttachedTo, type FileRow, fileView } from './file.view.js';

export interface Attachment {
  projectId: string;
  accountId: string;
  side: 'customer' | 'staff';
  to: AttachedTo;
  /** The id of the message, note or deliverable; for a brief, the project’s id. */
  attachedToId: string;
}

/** Includes uploads that are under way. */
export interface StorageUsage {
  bytes: number;
  files: number;
}

export type NewFile = Pick<
  FileRow,
  'id' | 'projectId' | 'side' | 'hidden' | 'uploaderName' | 'name' | 'bytes'
> & { accountId: string; expiresAt: Date };

type RawRow = Omit<FileRow, 'bytes'> & { bytes: string };

/** A function, so that the `sql` tag inserts the text instead of passing it as a parameter. */
const columns = () => `
  id, project_id AS "projectId", side, hidden, account_id AS "accountId", uploader_name AS "uploaderName", name,
  bytes, type, state, preview, attached_to AS "attachedTo", attached_id AS "attachedToId", expires_at AS "expiresAt",
  created_at AS "createdAt"`;

/** The table `project_files`. It has no entity, because most statements that change a file also check its state. */
@Injectable()
export class FileRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Attaches files to a message, note, brief or deliverable, so that they no longer expire. Throws INVALID_INPUT for the field `files` unless this
   * person uploaded all of them to this project on this side, and they are complete, not infected, not expired and not attached. Files of a brief may
   * be another person's: answers that are merged can contain a file that a colleague has just removed. Files of notes are hidden from the customer. A
   * file that was uploaded for a note can only be attached to a note.
   */
  async attach(tx: EntityManager, ids: readonly string[], attachment: Attachment): Promise<void> {
    if (ids.length === 0) return;
    const { projectId, accountId, side, to, attachedToId } = attachment;
    const isNote = to === 'note';
    const [rows] = await tx.sql<[{ id: string }[], number]>`
      UPDATE project_files
      SET attached_to = ${to}, attached_id = ${attachedToId}, hidden = ${isNote}, expires_at = NULL
      WHERE id = ANY (${ids}::uuid[]) AND project_id = ${projectId} AND side = ${side}
        AND (account_id = ${accountId} OR ${to === 'brief'})
        AND state IN ('scanning', 'ready') AND attached_to IS NULL AND deleted_at IS NULL
        AND expires_at > ${this.clock.now()} AND (${isNote} OR NOT hidden)
      RETURNING id`;
    if (rows.length === new Set(ids).size) return;
    throw DomainError.invalid([
      { field: 'files', message: 'must be files that you have uploaded and not sent' },
    ]);
  }

  /**
   * Attaches exactly these files, for briefs. Throws what `attach` throws. Files that are left out expire unless they are attached again.
   */
  async attachExactly(
    tx: EntityManager,
    ids: readonly string[],
    attachment: Attachment,
    expiresAt: Date,
  ): Promise<void> {
    const { to, attachedToId } = attachment;
    const rows = await tx.sql<{ id: string }[]>`
      SELECT id FROM project_files
      WHERE attached_id = ${attachedToId} AND attached_to = ${to} AND deleted_at IS NULL FOR UPDATE`;
    const present = new Set(rows.map(({ id }) => id));
    await tx.sql`
      UPDATE project_files SET attached_to = NULL, attached_id = NULL, expires_at = ${expiresAt}
      WHERE attached_id = ${attachedToId} AND attached_to = ${to} AND NOT id = ANY (${ids}::uuid[])`;
    await this.attach(
      tx,
      ids.filter((id) => !present.has(id)),
      attachment,
    );
  }

  /** `FileExpiryWorker` removes the bytes of the files after the commit. */
  async discardAttachedTo(tx: EntityManager, attachedToIds: readonly string[]): Promise<void> {
    await tx.sql`
      UPDATE project_files SET deleted_at = ${this.clock.now()}, expires_at = ${this.clock.now()}
      WHERE attached_id = ANY (${attachedToIds}::uuid[]) AND deleted_at IS NULL`;
  }

  /** Maps the ids of messages, notes, briefs or deliverables to their files, in the order of upload. Does not check access. */
  async viewsOf(
    manager: EntityManager,
    attachedToIds: readonly string[],
  ): Promise<Map<string, ProjectFile[]>> {
    const views = new Map<string, ProjectFile[]>();
    if (attachedToIds.length === 0) return views;
    const rows = await manager.sql<RawRow[]>`
      SELECT ${columns} FROM project_files
      WHERE attached_id = ANY (${attachedToIds}::uuid[]) AND deleted_at IS NULL ORDER BY id`;
    for (const row of rows.map(fileOf)) {
      const files = views.get(row.attachedToId!) ?? [];
      files.push(fileView(row));
      views.set(row.attachedToId!, files);
    }
    return views;
  }

  /** Also finds an upload that is under way or has expired. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<FileRow | null> {
    if (!isUuid(id)) return null;
    const [row] = await manager.sql<RawRow[]>`
      SELECT ${columns} FROM project_files WHERE id = ${id} AND deleted_at IS NULL`;
    return row ? fileOf(row) : null;
  }

  /** Lock its project first. */
  async lock(tx: EntityManager, id: string): Promise<FileRow | null> {
    const [row] = await tx.sql<RawRow[]>`
      SELECT ${columns} FROM project_files WHERE id = ${id} AND deleted_at IS NULL FOR UPDATE`;
    return row ? fileOf(row) : null;
  }

  /** Attached files, newest first. The files of notes are included only if `withHidden`. */
  async ofProject(
    projectId: string,
    { withHidden }: { withHidden: boolean },
    limit: number,
  ): Promise<FileRow[]> {
    const rows = await this.dataSource.sql<RawRow[]>`
      SELECT ${columns} FROM project_files
      WHERE project_id = ${projectId} AND attached_to IS NOT NULL AND deleted_at IS NULL
        AND (${withHidden} OR NOT hidden)
      ORDER BY id DESC LIMIT ${limit}`;
    return rows.map(fileOf);
  }

  /** Does not count expired uploads. Lock the project first. */
  async measureUsage(tx: EntityManager, projectId: string): Promise<StorageUsage> {
    const [row] = await tx.sql<{ bytes: string; files: string }[]>`
      SELECT coalesce(sum(bytes), 0) AS bytes, count(*) AS files FROM project_files
      WHERE project_id = ${projectId} AND deleted_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${this.clock.now()})`;
    return { bytes: Number(row!.bytes), files: Number(row!.files) };
  }

  async insert(tx: EntityManager, file: NewFile): Promise<void> {
    const { id, projectId, side, hidden, accountId, uploaderName, name, bytes, expiresAt } = file;
    await tx.sql`
      INSERT INTO project_files
        (id, project_id, side, hidden, account_id, uploader_name, name, bytes, state, expires_at, created_at)
      VALUES (${id}, ${projectId}, ${side}, ${hidden}, ${accountId}, ${uploaderName}, ${name}, ${bytes},
        'uploading', ${expiresAt}, ${this.clock.now()})`;
  }

  /** Call it when the bytes are complete. Lock the row or the project first. */
  async markFinished(
    tx: EntityManager,
    id: string,
    { type, state, preview, expiresAt }: Pick<FileRow, 'type' | 'state' | 'preview' | 'expiresAt'>,
  ): Promise<void> {
    await tx.sql`
      UPDATE project_files SET type = ${type}, state = ${state}, preview = ${preview}, expires_at = ${expiresAt}
      WHERE id = ${id}`;
  }

  /** A file with a virus stays infected. */
  async markExamined(
    tx: EntityManager,
    id: string,
    { sha256, infected }: { sha256: string | null; infected: boolean },
  ): Promise<void> {
    const [state, preview] = infected ? ['infected', 'none'] : ['ready', null];
    await tx.sql`
      UPDATE project_files SET state = ${state}, sha256 = ${sha256}, preview = coalesce(${preview}, preview)
      WHERE id = ${id} AND state IN ('scanning', 'ready')`;
  }

  async markPreview(tx: EntityManager, id: string, preview: 'ready' | 'none'): Promise<void> {
    await tx.sql`UPDATE project_files SET preview = ${preview} WHERE id = ${id} AND preview = 'rendering'`;
  }

  /** Leaves an attached file as it is. `FileExpiryWorker` removes the bytes after the commit. */
  async discard(tx: EntityManager, id: string): Promise<void> {
    await tx.sql`
      UPDATE project_files SET deleted_at = ${this.clock.now()}, expires_at = ${this.clock.now()}
      WHERE id = ${id} AND deleted_at IS NULL AND attached_to IS NULL`;
  }

  /** Also returns discarded files, and files whose bytes could not be removed before. */
  async takeExpired(now: Date, limit: number): Promise<string[]> {
    const [rows] = await this.dataSource.sql<[{ id: string }[], number]>`
      UPDATE project_files SET deleted_at = coalesce(deleted_at, ${now})
      WHERE id IN (
        SELECT id FROM project_files WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING id`;
    return rows.map(({ id }) => id);
  }

  /** Makes `takeExpired` return the file again from `until` on. */
  async postponeRemoval(id: string, until: Date): Promise<void> {
    await this.dataSource.sql`
      UPDATE project_files SET expires_at = ${until} WHERE id = ${id} AND deleted_at IS NOT NULL`;
  }

  /** Call it after the bytes were removed. Keeps the row of a file of a deleted message or note. */
  async finishRemoval(id: string): Promise<void> {
    await this.dataSource
      .sql`DELETE FROM project_files WHERE id = ${id} AND deleted_at IS NOT NULL AND attached_to IS NULL`;
    await this.dataSource.sql`
      UPDATE project_files SET expires_at = NULL WHERE id = ${id} AND deleted_at IS NOT NULL`;
  }

  /** Those without a file that has bytes: the row of a deleted message's file stays when its bytes are removed (`finishRemoval`). */
  async unknownAmong(ids: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM project_files
      WHERE id = ANY (${ids}::uuid[]) AND (deleted_at IS NULL OR expires_at IS NOT NULL)`;
    const known = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !known.has(id));
  }
}

/** The driver reads bigint as text. */
function fileOf(row: RawRow): FileRow {
  return { ...row, bytes: Number(row.bytes) };
}
