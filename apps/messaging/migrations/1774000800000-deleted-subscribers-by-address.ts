import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For each unsubscription and bounce: without it, they read all deleted records, of which a bulk deletion can make very many. */
export class DeletedSubscribersByAddress1774000800000 implements MigrationInterface {
  name = 'DeletedSubscribersByAddress1774000800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX deleted_subscribers_by_address ON deleted_records ((record->>'email_normalized'))
      WHERE source = 'subscribers'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX deleted_subscribers_by_address');
  }
}
