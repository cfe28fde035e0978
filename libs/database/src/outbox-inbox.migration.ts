import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './database.options.js';

/** The tables behind `Outbox` and `Inbox`, the same in every service's database. */
class CreateOutboxAndInbox implements MigrationInterface {
  // TypeORM orders migrations by the timestamp at the end of the name.
  readonly name = 'CreateOutboxAndInbox1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox_messages (
        id uuid PRIMARY KEY,
        event text NOT NULL,
        payload jsonb NOT NULL,
        traceparent text,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz,
        -- The run_id of the Redis that accepted it. A restarted Redis is empty, and has another run_id.
        sent_to text
      )`);
    await runner.query(`CREATE INDEX outbox_messages_unsent ON outbox_messages (id) WHERE sent_at IS NULL`);
    await runner.query(
      `CREATE INDEX outbox_messages_sent ON outbox_messages (sent_at) WHERE sent_at IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE inbox_entries (
        request_id text PRIMARY KEY,
        fingerprint text NOT NULL,
        -- Not jsonb: a repeated request gets the very text that the first one got.
        reply json,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX inbox_entries_created_at ON inbox_entries (created_at)`);
    await runner.query(`
      CREATE TABLE consumed_events (
        consumer text NOT NULL,
        event_id text NOT NULL,
        consumed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, event_id)
      )`);
    await runner.query(`CREATE INDEX consumed_events_consumed_at ON consumed_events (consumed_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE consumed_events, inbox_entries, outbox_messages`);
  }
}

/** Part of every service's migrations. */
export const outboxAndInboxMigrations: MigrationClass[] = [CreateOutboxAndInbox];
