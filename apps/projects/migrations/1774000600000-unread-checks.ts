import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnreadChecks1774000600000 implements MigrationInterface {
  name = 'UnreadChecks1774000600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unread_checks (
        project_id uuid NOT NULL REFERENCES projects (id),
        -- The side whose readers may be mailed.
        side text NOT NULL CHECK (side IN ('customer', 'staff')),
        -- Null while there is nothing to check.
        due_at timestamptz(3),
        -- Up to this entry, all admins were mailed, because nobody was assigned.
        admins_mailed_seq integer NOT NULL DEFAULT 0,
        PRIMARY KEY (project_id, side)
      )`);
    await runner.query(`CREATE INDEX unread_checks_due ON unread_checks (due_at) WHERE due_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE unread_checks`);
  }
}
