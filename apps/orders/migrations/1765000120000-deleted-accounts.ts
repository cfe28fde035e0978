import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose orders no longer say who placed them. Kept, because what belongs to an order may yet arrive. */
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
