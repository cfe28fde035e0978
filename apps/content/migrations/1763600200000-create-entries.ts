import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEntries1763600200000 implements MigrationInterface {
  name = 'CreateEntries1763600200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE entries (
        id uuid PRIMARY KEY,
        section text NOT NULL,
        singleton boolean NOT NULL,
        -- The order of creation: two entries may have the same created_at.
        position bigint GENERATED ALWAYS AS IDENTITY,
        body jsonb NOT NULL CHECK (jsonb_typeof(body) = 'object'),
        version integer NOT NULL CHECK (version > 0),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query(`CREATE UNIQUE INDEX entries_one_per_singleton ON entries (section) WHERE singleton`);
    await runner.query(`CREATE INDEX entries_by_section ON entries (section, position)`);
    // A digest, because a value may be too long for an index.
    await runner.query(`
      CREATE TABLE entry_unique_values (
        section text NOT NULL,
        field text NOT NULL,
        digest text NOT NULL,
        entry_id uuid NOT NULL REFERENCES entries ON DELETE CASCADE,
        PRIMARY KEY (section, field, digest)
      )`);
    await runner.query(`CREATE INDEX entry_unique_values_by_entry ON entry_unique_values (entry_id)`);
    // No reference to entries: the history outlives the record.
    await runner.query(`
      CREATE TABLE entry_history (
        entry_id uuid NOT NULL,
        version integer NOT NULL,
        section text NOT NULL,
        change text NOT NULL CHECK (change IN ('created', 'updated', 'deleted')),
        changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        changed_by text,
        body jsonb NOT NULL,
        PRIMARY KEY (entry_id, version)
      )`);
    // Every change of content raises `version`: see `SiteVersionRepository`.
    await runner.query(`
      CREATE TABLE site_version (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        version integer NOT NULL
      )`);
    await runner.query(`INSERT INTO site_version (version) VALUES (0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE site_version, entry_history, entry_unique_values, entries`);
  }
}
