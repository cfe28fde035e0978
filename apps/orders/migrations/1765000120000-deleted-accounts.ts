import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ids of deleted accounts. They are kept, because personal data of the account may still arrive, for example with an order that is being placed
 * or a payment notification; that data is removed, too.
 */
export class DeletedAccounts1765000120000 implements MigrationInterface {
  name = 'DeletedAccounts1765000120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE deleted_accounts (account_id uuid PRIMARY KEY, deleted_at timestamptz(3) NOT NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE deleted_accounts`);
  }
}
