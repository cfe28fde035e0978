import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a copy of a person's data, and for its deletion. Mails marked `forget` are deleted a day after they finished. */
export class MailsByAddress1767100000000 implements MigrationInterface {
  name = 'MailsByAddress1767100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX mails_by_address ON mails (lower(to_address), created_at, id)`);
    await runner.query(`ALTER TABLE mails ADD COLUMN forget boolean NOT NULL DEFAULT false`);
    await runner.query(`CREATE INDEX mails_to_forget ON mails (finished_at) WHERE forget`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mails DROP COLUMN forget`);
    await runner.query(`DROP INDEX mails_by_address`);
  }
}
