import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gateways ask for each section's last deletion after every content change; the index spares a read of the whole history. */
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
