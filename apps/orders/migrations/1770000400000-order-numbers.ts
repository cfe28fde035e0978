import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many orders one statement numbers. It holds their locks for about a second. */
const batchSize = 10_000;

/** The last order of a batch. */
interface NumberedOrder {
  id: string;
  createdAt: Date | string;
  number: string;
}

/**
 * The order number that people quote. A default draws it from a sequence, because the previous version, which does not know the column, still inserts
 * orders during the upgrade. Existing orders are numbered from the oldest on, in batches that commit one by one, so that orders are locked for
 * moments only. An interrupted migration starts over: until it has finished, nobody has seen a number.
 */
export class OrderNumbers1770000400000 implements MigrationInterface {
  name = 'OrderNumbers1770000400000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // One statement, so it is one transaction. The first numbers, from 1001 on, are left for the existing orders.
    await runner.query(`
      DO $$ BEGIN
        ALTER TABLE orders DROP COLUMN IF EXISTS number;
        ALTER TABLE orders ADD COLUMN number bigint;
        CREATE SEQUENCE orders_number START 1001 OWNED BY orders.number;
        PERFORM setval('orders_number', 1000 + count(*)) FROM orders;
        ALTER TABLE orders ALTER COLUMN number SET DEFAULT nextval('orders_number');
      END $$`);
    let last: NumberedOrder | undefined = {
      id: '00000000-0000-0000-0000-000000000000',
      createdAt: '-infinity',
      number: '1000',
    };
    while (last) last = await numberBatch(runner, last);
    await runner.query(`CREATE UNIQUE INDEX orders_by_number ON orders (number)`);
    await runner.query(`ALTER TABLE orders ALTER COLUMN number SET NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE orders DROP COLUMN number`);
  }
}

/** Numbers the next batch of the orders after `last`, and returns the last one of that batch; undefined if there are none. */
async function numberBatch(runner: QueryRunner, last: NumberedOrder): Promise<NumberedOrder | undefined> {
  const rows = (await runner.query(
    `WITH batch AS (
       SELECT id, created_at, $1::bigint + row_number() OVER (ORDER BY created_at, id) AS number
       FROM orders WHERE number IS NULL AND (created_at, id) > ($2, $3)
       ORDER BY created_at, id LIMIT ${batchSize}
     ), numbered AS (
       UPDATE orders SET number = batch.number FROM batch WHERE orders.id = batch.id
     )
     SELECT id, created_at AS "createdAt", number FROM batch ORDER BY number DESC LIMIT 1`,
    [last.number, last.createdAt, last.id],
  )) as NumberedOrder[];
  return rows[0];
}
