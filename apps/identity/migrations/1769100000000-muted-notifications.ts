import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MutedNotifications1769100000000 implements MigrationInterface {
  name = 'MutedNotifications1769100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE muted_notifications (
        account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        notification text NOT NULL,
        PRIMARY KEY (account_id, notification)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE muted_notifications`);
  }
}
