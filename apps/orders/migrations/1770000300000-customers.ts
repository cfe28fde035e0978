import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The accounts with orders, kept while the totals of orders are folded. */
export class Customers1770000300000 implements MigrationInterface {
  name = 'Customers1770000300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE customers (
        account_id uuid PRIMARY KEY,
        name text NOT NULL,
        email text NOT NULL,
        orders integer NOT NULL,
        spent_cents bigint NOT NULL,
        refunded_cents bigint NOT NULL,
        first_order_at timestamptz(3) NOT NULL,
        last_order_at timestamptz(3) NOT NULL,
        name_sorted text NOT NULL GENERATED ALWAYS AS (lower(left(name, 60))) STORED
      )`);
    await runner.query(`
      INSERT INTO customers
      SELECT account_id, (array_agg(customer_name ORDER BY created_at DESC, id DESC))[1],
        (array_agg(customer_email ORDER BY created_at DESC, id DESC))[1], count(*),
        coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0), sum(refunded_cents),
        min(created_at), max(created_at)
      FROM orders WHERE customer_email <> '' GROUP BY account_id`);
    await runner.query(`CREATE INDEX customers_by_last_order ON customers (last_order_at, account_id)`);
    await runner.query(`CREATE INDEX customers_by_name ON customers (name_sorted, account_id)`);
    await runner.query(`CREATE INDEX customers_by_spent ON customers (spent_cents, account_id)`);
    await runner.query(`CREATE INDEX customers_by_address ON customers (lower(email))`);
    // Without the extension a search reads every row, as for orders.
    await runner.query(`
      DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX customers_searched ON customers USING gin (name gin_trgm_ops, email gin_trgm_ops);
      EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
        RAISE NOTICE 'Customers are searched without an index: %', SQLERRM;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE customers`);
  }
}
