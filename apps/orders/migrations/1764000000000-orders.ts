import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times are rounded to milliseconds, as in the cursors of lists, so that a time in a cursor equals the stored one. */
export class Orders1764000000000 implements MigrationInterface {
  name = 'Orders1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orders (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL,
        order_date date NOT NULL,
        customer_name text NOT NULL,
        customer_email text NOT NULL,
        customer_address text NOT NULL,
        customer_country text NOT NULL,
        package_name text NOT NULL,
        package_price text NOT NULL,
        price_cents bigint NOT NULL CHECK (price_cents > 0),
        order_status text NOT NULL DEFAULT 'Pending' CHECK (order_status IN ('Pending', 'Delivered')),
        provider_state text NOT NULL DEFAULT 'unpaid' CHECK (provider_state IN
          ('unpaid', 'pending', 'failed', 'paid', 'partially_refunded', 'refunded', 'disputed')),
        payments jsonb NOT NULL DEFAULT '[]',
        refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
        paid_twice boolean NOT NULL DEFAULT false,
        override text CHECK (override IN ('UnPaid', 'Paid')),
        cancelled boolean NOT NULL DEFAULT false,
        payment_status text NOT NULL DEFAULT 'UnPaid' CHECK (payment_status IN ('UnPaid', 'Paid', 'Cancelled')),
        payment_state text NOT NULL DEFAULT 'unpaid',
        flags text[] NOT NULL DEFAULT '{}',
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name_sorted text NOT NULL GENERATED ALWAYS AS (lower(left(customer_name, 60))) STORED,
        search_text text NOT NULL
          GENERATED ALWAYS AS (lower(customer_name || E'\\n' || customer_email || E'\\n' || package_name)) STORED
      )`);
    await runner.query(`CREATE INDEX orders_by_time ON orders (created_at, id)`);
    await runner.query(`CREATE INDEX orders_by_account ON orders (account_id, created_at, id)`);
    await runner.query(`CREATE INDEX orders_by_payment_status ON orders (payment_status, created_at, id)`);
    await runner.query(`CREATE INDEX orders_by_order_status ON orders (order_status, created_at, id)`);
    await runner.query(`CREATE INDEX orders_flagged ON orders (created_at, id) WHERE flags <> '{}'`);
    await runner.query(`CREATE INDEX orders_by_date ON orders (order_date, id)`);
    await runner.query(`CREATE INDEX orders_by_name ON orders (name_sorted, id)`);
    await runner.query(`CREATE INDEX orders_by_price ON orders (price_cents, id)`);
    await createSearch(runner);
    await createTotals(runner);
    // No foreign key: an entry is only written together with its order, or while the order is locked. Only demo orders are ever deleted, and their
    // entries with them.
    await runner.query(`
      CREATE TABLE order_timeline (
        id uuid PRIMARY KEY,
        order_id uuid NOT NULL,
        at timestamptz(3) NOT NULL,
        kind text NOT NULL,
        text text NOT NULL,
        by text,
        evidence jsonb NOT NULL DEFAULT '{}'
      )`);
    await runner.query(`CREATE INDEX order_timeline_by_order ON order_timeline (order_id, id)`);
    // A projection of content's packages. A deleted package stays as a tombstone, so that a late change cannot restore it.
    await runner.query(`
      CREATE TABLE packages (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        price text NOT NULL,
        deleted boolean NOT NULL,
        site_version integer NOT NULL
      )`);
    await runner.query(`CREATE INDEX packages_by_name ON packages (name) WHERE NOT deleted`);
    await runner.query(`
      CREATE TABLE paypal_email (
        id uuid PRIMARY KEY,
        paypal_email text NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`CREATE UNIQUE INDEX paypal_email_singleton ON paypal_email ((true))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['paypal_email', 'packages', 'order_timeline', 'orders']) {
      await runner.query(`DROP TABLE ${table}`);
    }
    await runner.query(`DROP FUNCTION note_order_totals`);
    for (const table of ['order_total_changes', 'account_order_totals', 'order_totals']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}

/**
 * A trigram index, if Postgres has the extension and lets this role create it, as the embedded Postgres does. Without the index, a search reads
 * every order, which is slower but finds the same.
 */
async function createSearch(runner: QueryRunner): Promise<void> {
  await runner.query(`
    DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX orders_search ON orders USING gin (search_text gin_trgm_ops);
    EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
      RAISE NOTICE 'Orders are searched without an index: %', SQLERRM;
    END $$`);
}

/**
 * The count and the amounts of orders. If the transaction that changes an order updated a row of totals, every order would wait for the previous
 * one. Therefore each statement adds rows to `order_total_changes`, and `OrderTotalsRepository` adds these rows to the tables of totals later.
 */
async function createTotals(runner: QueryRunner): Promise<void> {
  const kind = `
    payment_status text NOT NULL,
    order_status text NOT NULL,
    flagged boolean NOT NULL`;
  const sums = `
    orders bigint NOT NULL,
    price_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL`;
  await runner.query(`CREATE TABLE order_total_changes (account_id uuid NOT NULL, ${kind}, ${sums})`);
  await runner.query(
    `CREATE TABLE order_totals (${kind}, ${sums}, PRIMARY KEY (payment_status, order_status, flagged))`,
  );
  await runner.query(`
    CREATE TABLE account_order_totals (account_id uuid NOT NULL, ${kind}, ${sums},
      PRIMARY KEY (account_id, payment_status, order_status, flagged))`);
  const counted = (rows: string, sign: '' | '-') => `
    SELECT account_id, payment_status, order_status, flags <> '{}' AS flagged,
      ${sign}count(*) AS orders, ${sign}sum(price_cents) AS price, ${sign}sum(refunded_cents) AS refunded
    FROM ${rows} GROUP BY 1, 2, 3, 4`;
  await runner.query(`
    CREATE FUNCTION note_order_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO order_total_changes ${counted('after', '')};
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO order_total_changes ${counted('before', '-')};
      ELSE
        INSERT INTO order_total_changes
        SELECT account_id, payment_status, order_status, flagged, sum(orders), sum(price), sum(refunded)
        FROM (${counted('after', '')} UNION ALL ${counted('before', '-')}) AS moved
        GROUP BY 1, 2, 3, 4
        HAVING sum(orders) <> 0 OR sum(price) <> 0 OR sum(refunded) <> 0;
      END IF;
      RETURN NULL;
    END $$`);
  for (const [operation, tables] of [
    ['INSERT', 'NEW TABLE AS after'],
    ['UPDATE', 'OLD TABLE AS before NEW TABLE AS after'],
    ['DELETE', 'OLD TABLE AS before'],
  ]) {
    await runner.query(`
      CREATE TRIGGER order_totals_at_${operation!.toLowerCase()} AFTER ${operation} ON orders
      REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION note_order_totals()`);
  }
}
