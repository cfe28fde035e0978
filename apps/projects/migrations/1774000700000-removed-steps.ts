import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The steps that were last removed from checklists, so that undoing a removal keeps who ticked them, and when. */
export class RemovedSteps1774000700000 implements MigrationInterface {
  name = 'RemovedSteps1774000700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects ADD COLUMN removed_steps jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN removed_steps`);
  }
}
