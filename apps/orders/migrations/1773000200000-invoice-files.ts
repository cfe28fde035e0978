import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The PDF files of invoices and credit notes: which are stored, and which are yet to be rendered. */
export class InvoiceFiles1773000200000 implements MigrationInterface {
  name = 'InvoiceFiles1773000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_files (
        invoice_id uuid PRIMARY KEY REFERENCES invoices (id) ON DELETE CASCADE,
        state text NOT NULL DEFAULT 'rendering' CHECK (state IN ('rendering', 'ready')),
        tries integer NOT NULL DEFAULT 0,
        next_try_at timestamptz(3) NOT NULL DEFAULT now(),
        lease uuid,
        leased_until timestamptz(3)
      )`);
    await runner.query(
      `CREATE INDEX invoice_files_due ON invoice_files (next_try_at) WHERE state = 'rendering'`,
    );
    await runner.query(`INSERT INTO invoice_files (invoice_id) SELECT id FROM invoices`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE invoice_files`);
  }
}
