import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the time of each section's last deletion, which is looked up on every content change in a history that only grows. */
export class IndexRemovals1763700200000 implements MigrationInterface {
  name = 'IndexRemovals1763700200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX entry_history_removals ON entry_history (section, changed_at) WHERE change = 'deleted'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX entry_history_removals`);
  }
}
