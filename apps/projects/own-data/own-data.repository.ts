import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BriefAnswers, ProjectState } from '#libs/contracts';

const maxProjects = 1_000;
const maxMessages = 10_000;
const maxFiles = 5_000;
/** Limits all brief answers of a copy together, and all its messages together, because the copy is one reply between processes. */
const maxCharacters = 4_000_000;

interface ProjectRow {
  id: string;
  number: number;
  title: string;
  packageName: string;
  state: ProjectState;
  createdAt: Date;
  /** Null if there is no brief, or if these answers and those of newer projects together exceed `maxCharacters`. */
  answers: BriefAnswers | null;
}

/** For the copy of a person’s data. Reads nothing that only staff may see. */
@Injectable()
export class OwnDataRepository {
  constructor(private readonly dataSource: DataSource) {}

  listProjects(ownerIds: readonly string[]): Promise<ProjectRow[]> {
    return this.dataSource.sql<ProjectRow[]>`
      SELECT p.id, p.number::integer, title, package_name AS "packageName", state, p.created_at AS "createdAt",
        CASE WHEN sum(length(answers::text)) OVER (ORDER BY p.id DESC) <= ${maxCharacters} THEN answers END AS answers
      FROM projects p LEFT JOIN briefs ON briefs.project_id = p.id
      WHERE account_id = ANY (${ownerIds}::uuid[]) ORDER BY p.id DESC LIMIT ${maxProjects}`;
  }

  /** The newest messages of these projects, oldest first. */
  listMessages(projectIds: readonly string[]) {
    return this.dataSource.sql<{ projectId: string; at: Date; name: string; text: string }[]>`
      SELECT "projectId", at, name, text FROM (
        SELECT *, sum(length(text)) OVER (ORDER BY at DESC, "projectId", seq DESC) AS characters FROM (
          SELECT project_id AS "projectId", seq, at, name, concat_ws(E'\n\n', text, folded) AS text FROM thread_entries
          WHERE project_id = ANY (${projectIds}::uuid[]) AND kind = 'message' AND deleted_at IS NULL
          ORDER BY at DESC LIMIT ${maxMessages}) AS newest) AS counted
      WHERE characters <= ${maxCharacters}
      ORDER BY at, seq`;
  }

  /** The newest attached files that the customer’s side may see. */
  listFiles(projectIds: readonly string[]) {
    return this.dataSource.sql<{ projectId: string; id: string; name: string; createdAt: Date }[]>`
      SELECT project_id AS "projectId", id, name, created_at AS "createdAt" FROM project_files
      WHERE project_id = ANY (${projectIds}::uuid[]) AND NOT hidden AND attached_to IS NOT NULL AND deleted_at IS NULL
        AND state <> 'infected'
      ORDER BY id DESC LIMIT ${maxFiles}`;
  }
}
