import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Trigram indexes, if this Postgres has the extension and lets this role create it. Without them, a search reads every record, and fails if that
 * takes longer than five seconds.
 */
export class SearchIndexes1764100000000 implements MigrationInterface {
  name = 'SearchIndexes1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX messages_searched ON messages USING gin (
          full_name gin_trgm_ops, email_address gin_trgm_ops, subject gin_trgm_ops, message gin_trgm_ops);
        CREATE INDEX subscribers_searched ON subscribers USING gin (email gin_trgm_ops);
      EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
        RAISE NOTICE 'Messages and subscribers are searched without an index: %', SQLERRM;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS messages_searched, subscribers_searched`);
  }
}
