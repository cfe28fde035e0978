import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SubscriberImports1767000300000 implements MigrationInterface {
  name = 'SubscriberImports1767000300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscriber_imports (
        id uuid PRIMARY KEY,
        -- On the screen, the name of the file.
        name text NOT NULL,
        -- How and when consent was given, in the admin's words.
        consent text NOT NULL,
        rows_total integer NOT NULL,
        rows_done integer NOT NULL DEFAULT 0,
        added integer NOT NULL DEFAULT 0,
        refused integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3)
      )`);
    await runner.query(`
      CREATE TABLE subscriber_import_refusals (
        import_id uuid NOT NULL REFERENCES subscriber_imports (id) ON DELETE CASCADE,
        line integer NOT NULL,
        -- The row's cell in the column of addresses, shortened if it is long.
        text text NOT NULL,
        reason text NOT NULL,
        PRIMARY KEY (import_id, line)
      )`);
    await runner.query(`ALTER TABLE subscribers ADD COLUMN import_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE subscribers DROP COLUMN import_id`);
    for (const table of ['subscriber_import_refusals', 'subscriber_imports'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
