import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replicas that rotate the keys at the same time each offer a next key; only one is admitted. */
export class OneComingKey1765000130000 implements MigrationInterface {
  name = 'OneComingKey1765000130000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX signing_keys_one_next ON signing_keys (state) WHERE state = 'next'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX signing_keys_one_next`);
  }
}
