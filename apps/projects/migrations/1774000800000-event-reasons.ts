import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The reason for a change of the state. It is in the text of the event, too, unless a deliverable shows it. */
export class EventReasons1774000800000 implements MigrationInterface {
  name = 'EventReasons1774000800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE thread_entries ADD COLUMN reason text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE thread_entries DROP COLUMN reason`);
  }
}
