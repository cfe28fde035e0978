import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Devices that have signed in more than once are kept longer than others. */
export class ReturnedDevices1769100400000 implements MigrationInterface {
  name = 'ReturnedDevices1769100400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE account_devices ADD COLUMN returned boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE account_devices DROP COLUMN returned`);
  }
}
