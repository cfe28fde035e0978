import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes to find the entries of a deleted account: by the account, or, among entries that have no account, by the address. */
export class TimelinePersons1767300000000 implements MigrationInterface {
  name = 'TimelinePersons1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX order_timeline_by_account ON order_timeline (by_account) WHERE by_account IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX order_timeline_by_address ON order_timeline (by) WHERE by_account IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX order_timeline_by_account, order_timeline_by_address`);
  }
}
