import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With its cost stored, a code stays valid when the settings change. The cost of existing codes is not known. */
export class RecoveryCodeCost1769100300000 implements MigrationInterface {
  name = 'RecoveryCodeCost1769100300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE recovery_codes ADD COLUMN memory_kib integer, ADD COLUMN passes integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE recovery_codes DROP COLUMN memory_kib, DROP COLUMN passes`);
  }
}
