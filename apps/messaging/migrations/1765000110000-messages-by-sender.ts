import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a copy of a person's data, and for its deletion. */
export class MessagesBySender1765000110000 implements MigrationInterface {
  name = 'MessagesBySender1765000110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX messages_by_sender ON messages (lower(email_address), created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX messages_by_sender`);
  }
}
