import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `messages_by_name` helps only if the list is limited to one status. */
export class MessagesByName1774000700000 implements MigrationInterface {
  name = 'MessagesByName1774000700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX messages_by_name_of_any_status ON messages (name_sorted, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX messages_by_name_of_any_status');
  }
}
