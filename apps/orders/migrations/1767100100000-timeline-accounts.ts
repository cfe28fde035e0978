import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The account behind a timeline entry, because its address may change before the account is deleted. */
export class TimelineAccounts1767100100000 implements MigrationInterface {
  name = 'TimelineAccounts1767100100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline ADD COLUMN by_account uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline DROP COLUMN by_account`);
  }
}
