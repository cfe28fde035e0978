import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeletedRecords1767000100000 implements MigrationInterface {
  name = 'DeletedRecords1767000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_records (
        source text NOT NULL CHECK (source IN ('messages', 'subscribers')),
        id uuid NOT NULL,
        record jsonb NOT NULL,
        deleted_at timestamptz NOT NULL,
        PRIMARY KEY (source, id)
      )`);
    await runner.query(`CREATE INDEX deleted_records_by_time ON deleted_records (deleted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE deleted_records`);
  }
}
