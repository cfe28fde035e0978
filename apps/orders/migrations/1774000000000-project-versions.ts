import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest version of an order's project that was handled: an event about this or an older version changes nothing. */
export class ProjectVersions1774000000000 implements MigrationInterface {
  name = 'ProjectVersions1774000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE orders ADD COLUMN project_version integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE orders DROP COLUMN project_version`);
  }
}
