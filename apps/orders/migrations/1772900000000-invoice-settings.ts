import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The seller's details and the rules of invoices: at most one row. */
export class InvoiceSettings1772900000000 implements MigrationInterface {
  name = 'InvoiceSettings1772900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_settings (
        id integer PRIMARY KEY CHECK (id = 1),
        version integer NOT NULL,
        settings jsonb NOT NULL,
        -- When the settings were saved for the first time. Payments from this moment on get an invoice.
        issues_from timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE invoice_settings`);
  }
}
