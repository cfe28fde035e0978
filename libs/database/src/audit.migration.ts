import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './database.options.js';

/** The table behind `AuditTrail`, the same in every service's database. */
class CreateAuditEntries implements MigrationInterface {
  readonly name = 'CreateAuditEntries1766000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        at timestamptz(3) NOT NULL,
        actor_id text NOT NULL,
        actor_email text NOT NULL,
        section text NOT NULL,
        record_id text NOT NULL,
        name text NOT NULL,
        change text NOT NULL,
        before jsonb,
        after jsonb
      )`);
    await runner.query(`CREATE INDEX audit_entries_by_actor ON audit_entries (lower(actor_email), id)`);
    await runner.query(`CREATE INDEX audit_entries_by_section ON audit_entries (section, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_entries`);
  }
}

/** Part of every service's migrations. */
export const auditMigrations: MigrationClass[] = [CreateAuditEntries];
