import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The older index `messages_by_name` begins with the status, so it helps only lists of one status. */
export class MessagesByName1774000700000 implements MigrationInterface {
  name = 'MessagesByName1774000700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX messages_by_name_of_any_status ON messages (name_sorted, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX messages_by_name_of_any_status');
  }
}
