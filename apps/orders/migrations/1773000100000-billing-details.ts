import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What customers want to have on invoices, and the tax that is added to prices. */
export class BillingDetails1773000100000 implements MigrationInterface {
  name = 'BillingDetails1773000100000';

  async up(runner: QueryRunner): Promise<void> {
    // The rates are in percent. Their defaults are constant, so that no row is rewritten.
    await runner.query(`
      ALTER TABLE orders ADD COLUMN billing jsonb, ADD COLUMN added_tax_rate text NOT NULL DEFAULT '0'`);
    await runner.query(`ALTER TABLE subscriptions ADD COLUMN added_tax_rate text NOT NULL DEFAULT '0'`);
    await runner.query(`
      CREATE TABLE billing_details (
        account_id uuid PRIMARY KEY,
        details jsonb NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    // The answers of the European Commission's register of VAT ids.
    await runner.query(`
      CREATE TABLE vat_id_checks (
        vat_id text PRIMARY KEY,
        state text NOT NULL CHECK (state IN ('valid', 'invalid', 'unknown')),
        checked_at timestamptz(3),
        first_asked_at timestamptz(3) NOT NULL DEFAULT now(),
        next_check_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE INDEX vat_id_checks_due ON vat_id_checks (next_check_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['vat_id_checks', 'billing_details']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(`ALTER TABLE subscriptions DROP COLUMN added_tax_rate`);
    await runner.query(`ALTER TABLE orders DROP COLUMN added_tax_rate, DROP COLUMN billing`);
  }
}
