import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RestoredAdmins1767000100000 implements MigrationInterface {
  name = 'RestoredAdmins1767000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE admin_user_history DROP CONSTRAINT admin_user_history_change_check,
      ADD CONSTRAINT admin_user_history_change_check
        CHECK (change IN ('created', 'updated', 'deleted', 'restored'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE admin_user_history SET change = 'created' WHERE change = 'restored'`);
    await runner.query(`
      ALTER TABLE admin_user_history DROP CONSTRAINT admin_user_history_change_check,
      ADD CONSTRAINT admin_user_history_change_check CHECK (change IN ('created', 'updated', 'deleted'))`);
  }
}
