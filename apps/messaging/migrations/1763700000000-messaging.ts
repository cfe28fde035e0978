import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are stored to the millisecond, like the times in the cursors of paged lists. */
export class Messaging1763700000000 implements MigrationInterface {
  name = 'Messaging1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscribers (
        id uuid PRIMARY KEY,
        email text NOT NULL,
        email_normalized text NOT NULL CONSTRAINT subscribers_email_unique UNIQUE,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX subscribers_by_time ON subscribers (created_at, id)`);
    await runner.query(`
      CREATE TABLE messages (
        id uuid PRIMARY KEY,
        full_name text NOT NULL,
        email_address text NOT NULL,
        subject text NOT NULL,
        message text NOT NULL,
        message_status text NOT NULL CHECK (message_status IN ('UnRead', 'Read')),
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX messages_by_time ON messages (created_at, id)`);
    await runner.query(`CREATE INDEX messages_by_status ON messages (message_status, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['messages', 'subscribers']) await runner.query(`DROP TABLE ${table}`);
  }
}
