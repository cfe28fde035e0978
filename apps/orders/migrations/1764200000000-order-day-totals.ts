import type { MigrationInterface, QueryRunner } from 'typeorm';

const kind = 'payment_status, order_status, flagged';
const sums = 'sum(orders), sum(price_cents), sum(refunded_cents)';
const added = `orders = totals.orders + excluded.orders, price_cents = totals.price_cents + excluded.price_cents,
  refunded_cents = totals.refunded_cents + excluded.refunded_cents`;

/** Adds totals by day and package. For them, the rows of `order_total_changes` get the day and the package. */
export class OrderDayTotals1764200000000 implements MigrationInterface {
  name = 'OrderDayTotals1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    // The lock keeps orders as they are while they are counted. Rows that have no day yet are first added to the totals.
    await runner.query(`LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE`);
    await runner.query(`
      WITH taken AS (DELETE FROM order_total_changes RETURNING *),
      of_everybody AS (
        INSERT INTO order_totals AS totals SELECT ${kind}, ${sums} FROM taken GROUP BY 1, 2, 3
        ON CONFLICT (${kind}) DO UPDATE SET ${added}
      )
      INSERT INTO account_order_totals AS totals SELECT account_id, ${kind}, ${sums} FROM taken GROUP BY 1, 2, 3, 4
      ON CONFLICT (account_id, ${kind}) DO UPDATE SET ${added}`);
    await runner.query(`
      ALTER TABLE order_total_changes ADD COLUMN order_date date NOT NULL, ADD COLUMN package_name text NOT NULL`);
    await runner.query(`
      CREATE TABLE order_day_totals (
        order_date date NOT NULL,
        package_name text NOT NULL,
        payment_status text NOT NULL,
        order_status text NOT NULL,
        flagged boolean NOT NULL,
        orders bigint NOT NULL,
        price_cents bigint NOT NULL,
        refunded_cents bigint NOT NULL,
        PRIMARY KEY (order_date, package_name, ${kind})
      )`);
    await runner.query(`
      INSERT INTO order_day_totals
      SELECT order_date, package_name, payment_status, order_status, flags <> '{}', count(*), sum(price_cents), sum(refunded_cents)
      FROM orders GROUP BY 1, 2, 3, 4, 5`);
    await runner.query(replaceTriggerFunction('order_date, package_name, '));
    // For the list of unpaid orders by age.
    await runner.query(
      `CREATE INDEX orders_unpaid_by_date ON orders (order_date, id) WHERE payment_status = 'UnPaid'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE`);
    await runner.query(`DROP INDEX orders_unpaid_by_date`);
    await runner.query(replaceTriggerFunction(''));
    await runner.query(`DROP TABLE order_day_totals`);
    await runner.query(`ALTER TABLE order_total_changes DROP COLUMN order_date, DROP COLUMN package_name`);
  }
}

/** The SQL that replaces the first migration's trigger function with one that also groups by the columns in `more`. */
function replaceTriggerFunction(more: '' | 'order_date, package_name, '): string {
  const groups = `account_id, ${more}payment_status, order_status, flagged`;
  const positions = groups.split(',').map((_, index) => index + 1);
  const counted = (rows: string, sign: '' | '-') => `
    SELECT account_id, ${more}payment_status, order_status, flags <> '{}' AS flagged,
      ${sign}count(*) AS orders, ${sign}sum(price_cents) AS price, ${sign}sum(refunded_cents) AS refunded
    FROM ${rows} GROUP BY ${positions.join(', ')}`;
  const into = `INSERT INTO order_total_changes (${groups}, orders, price_cents, refunded_cents)`;
  return `
    CREATE OR REPLACE FUNCTION note_order_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${into} ${counted('after', '')};
      ELSIF TG_OP = 'DELETE' THEN
        ${into} ${counted('before', '-')};
      ELSE
        ${into}
        SELECT ${groups}, sum(orders), sum(price), sum(refunded)
        FROM (${counted('after', '')} UNION ALL ${counted('before', '-')}) AS moved
        GROUP BY ${positions.join(', ')}
        HAVING sum(orders) <> 0 OR sum(price) <> 0 OR sum(refunded) <> 0;
      END IF;
      RETURN NULL;
    END $$`;
}
