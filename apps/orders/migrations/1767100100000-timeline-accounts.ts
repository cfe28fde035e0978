import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The account of the person who caused a timeline entry. When the account is deleted, its entries are anonymized; by then, its e-mail address may
 * differ from the one in the entry.
 */
export class TimelineAccounts1767100100000 implements MigrationInterface {
  name = 'TimelineAccounts1767100100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline ADD COLUMN by_account uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE order_timeline DROP COLUMN by_account`);
  }
}
