import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replies and notes are stored in the message's row, so that they are deleted and restored with it. */
export class MessageThreads1769000100000 implements MigrationInterface {
  name = 'MessageThreads1769000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages
        ADD COLUMN thread jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN answered_at timestamptz(3)`);
    // Deleted messages that can still be restored were stored without the column.
    await runner.query(`
      UPDATE deleted_records SET record = record || '{"thread": []}' WHERE source = 'messages'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE messages DROP COLUMN thread, DROP COLUMN answered_at`);
  }
}
