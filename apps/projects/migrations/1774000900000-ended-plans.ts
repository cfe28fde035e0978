import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Until now, `closed_by_order` told for most projects that the plan had ended. For one that staff have reopened since, only the site's entry about
 * the closing tells.
 */
export class EndedPlans1774000900000 implements MigrationInterface {
  name = 'EndedPlans1774000900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE projects ADD COLUMN subscription_has_ended boolean NOT NULL DEFAULT false`,
    );
    await runner.query(`
      UPDATE projects SET subscription_has_ended = true
      WHERE subscription_id IS NOT NULL AND (closed_by_order OR EXISTS (
        SELECT 1 FROM thread_entries
        WHERE project_id = projects.id AND kind = 'event' AND side = 'system' AND state = 'closed'))`);
    await runner.query(
      `UPDATE projects SET closed_by_order = false WHERE closed_by_order AND state <> 'closed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN subscription_has_ended`);
  }
}
