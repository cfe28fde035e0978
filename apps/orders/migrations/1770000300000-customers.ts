import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The accounts with orders. Triggers on `account_order_totals` keep them up to date, because the previous version, which does not know this
 * table, still changes those totals during the upgrade.
 */
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
    await runner.query(createUpdateFunction);
    // The triggers come first: creating them locks the totals, so that these do not change while the customers are counted.
    for (const operation of ['INSERT', 'UPDATE'])
      await runner.query(`
        CREATE TRIGGER customers_at_${operation.toLowerCase()} AFTER ${operation} ON account_order_totals
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION update_customers()`);
    // Leaves out deleted accounts: their orders have no e-mail address any more.
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
    await runner.query(`DROP FUNCTION update_customers CASCADE`);
    await runner.query(`DROP TABLE customers`);
  }
}

const createUpdateFunction = `
  CREATE FUNCTION update_customers() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM customers WHERE account_id IN (SELECT account_id FROM changed)
      AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.account_id = customers.account_id);
    INSERT INTO customers (account_id, name, email, orders, spent_cents, refunded_cents, first_order_at, last_order_at)
    SELECT account_id, newest.customer_name, newest.customer_email, totals.orders, totals.spent, totals.refunded,
      oldest.created_at, newest.created_at
    FROM (SELECT DISTINCT account_id FROM changed) AS accounts
    CROSS JOIN LATERAL (
      SELECT sum(orders) AS orders, coalesce(sum(price_cents) FILTER (WHERE payment_status = 'Paid'), 0) AS spent,
        sum(refunded_cents) AS refunded
      FROM account_order_totals t WHERE t.account_id = accounts.account_id
    ) AS totals
    CROSS JOIN LATERAL (
      SELECT customer_name, customer_email, created_at FROM orders o
      WHERE o.account_id = accounts.account_id ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS newest
    CROSS JOIN LATERAL (
      SELECT created_at FROM orders o
      WHERE o.account_id = accounts.account_id ORDER BY created_at, id LIMIT 1
    ) AS oldest
    WHERE NOT EXISTS (SELECT 1 FROM deleted_accounts d WHERE d.account_id = accounts.account_id)
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, email = excluded.email, orders = excluded.orders,
      spent_cents = excluded.spent_cents, refunded_cents = excluded.refunded_cents,
      first_order_at = excluded.first_order_at, last_order_at = excluded.last_order_at;
    RETURN NULL;
  END $$`;
