import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts whose orders have been anonymised. They are kept, because personal data may still arrive. */
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
