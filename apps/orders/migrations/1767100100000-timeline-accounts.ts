import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose account it was that did something to an order: an address may change before the account goes. */
export class TimelineAccounts1767100100000 implements MigrationInterface {
  name = 'TimelineAccounts1767100100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline ADD COLUMN by_account uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline DROP COLUMN by_account`);
  }
}
