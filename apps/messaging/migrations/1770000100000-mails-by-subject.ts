import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index on `about`, not on the subject line: for the mails about one record, such as an order or a message, newest first. */
export class MailsBySubject1770000100000 implements MigrationInterface {
  name = 'MailsBySubject1770000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX mails_by_subject ON mails (about, created_at, id) WHERE about IS NOT NULL AND campaign_id IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mails_by_subject');
  }
}
