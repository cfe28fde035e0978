import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProjectFiles1774000200000 implements MigrationInterface {
  name = 'ProjectFiles1774000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_files (
        id uuid PRIMARY KEY,
        project_id uuid NOT NULL REFERENCES projects (id),
        side text NOT NULL CHECK (side IN ('customer', 'staff')),
        -- Uploaded for a note or part of one: the customer never sees it.
        hidden boolean NOT NULL DEFAULT false,
        account_id uuid,
        uploader_name text NOT NULL,
        name text NOT NULL,
        bytes bigint NOT NULL,
        -- Null until the upload is complete.
        type text,
        -- Null until the file is examined, and if it has a virus.
        sha256 text,
        state text NOT NULL CHECK (state IN ('uploading', 'scanning', 'ready', 'infected')),
        preview text NOT NULL DEFAULT 'none' CHECK (preview IN ('none', 'rendering', 'ready')),
        -- What it is part of, if anything.
        attached_to text CHECK (attached_to IN ('message', 'note', 'brief', 'deliverable')),
        attached_id uuid,
        -- When the bytes of an unfinished, unsent or deleted file are to be removed.
        expires_at timestamptz(3),
        -- When the file was deleted by its uploader, deleted with what it is part of, or found to have expired.
        deleted_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CHECK ((attached_to IS NULL) = (attached_id IS NULL))
      )`);
    await runner.query(`CREATE INDEX project_files_by_project ON project_files (project_id, id)`);
    await runner.query(
      `CREATE INDEX project_files_attached ON project_files (attached_id) WHERE attached_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX project_files_by_account ON project_files (account_id) WHERE account_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX project_files_expiring ON project_files (expires_at) WHERE expires_at IS NOT NULL`,
    );
    await runner.query(`
      CREATE INDEX project_files_in_work ON project_files (created_at)
      WHERE state = 'scanning' OR preview = 'rendering'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE project_files`);
  }
}
