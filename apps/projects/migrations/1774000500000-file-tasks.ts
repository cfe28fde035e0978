import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FileTasks1774000500000 implements MigrationInterface {
  name = 'FileTasks1774000500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file_tasks (
        file_id uuid PRIMARY KEY REFERENCES project_files (id) ON DELETE CASCADE,
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL DEFAULT now(),
        -- Identifies the lease of the process that examines the file.
        lease uuid,
        leased_until timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX file_tasks_due ON file_tasks (next_try_at)`);
    await runner.query(`CREATE INDEX file_tasks_leased ON file_tasks (lease) WHERE lease IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE file_tasks`);
  }
}
