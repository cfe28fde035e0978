import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists can also be sorted by these columns: the beginnings of names and e-mail addresses in lower case, short enough for an index and a cursor. */
export class SortColumns1764200000000 implements MigrationInterface {
  name = 'SortColumns1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscribers
      ADD COLUMN email_sorted text NOT NULL GENERATED ALWAYS AS (left(email_normalized, 60)) STORED`);
    await runner.query(`CREATE INDEX subscribers_by_email ON subscribers (email_sorted, id)`);
    await runner.query(`
      ALTER TABLE messages
      ADD COLUMN name_sorted text NOT NULL GENERATED ALWAYS AS (lower(left(full_name, 60))) STORED`);
    await runner.query(`CREATE INDEX messages_by_name ON messages (message_status, name_sorted, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE messages DROP COLUMN name_sorted`);
    await runner.query(`ALTER TABLE subscribers DROP COLUMN email_sorted`);
  }
}
