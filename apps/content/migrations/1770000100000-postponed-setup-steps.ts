import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PostponedSetupSteps1770000100000 implements MigrationInterface {
  name = 'PostponedSetupSteps1770000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE postponed_setup_steps (
        step text PRIMARY KEY,
        postponed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE postponed_setup_steps`);
  }
}
