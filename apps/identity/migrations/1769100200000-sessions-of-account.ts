import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For finding when an account last used any session, even one that has ended. */
export class SessionsOfAccount1769100200000 implements MigrationInterface {
  name = 'SessionsOfAccount1769100200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX sessions_of_account ON sessions (account_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX sessions_of_account`);
  }
}
