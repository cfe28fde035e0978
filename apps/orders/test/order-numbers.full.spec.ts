import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, type DatabaseOptions, runMigrations } from '#libs/database';
import { freshDatabase, type TestDatabase } from '#libs/testing';
import { OrderNumbers1770000400000 as OrderNumbers } from '../migrations/1770000400000-order-numbers.js';
import { migrations } from '../migrations/index.js';

let database: TestDatabase;
let sql: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

const options = (chosen: DatabaseOptions['migrations']) => ({
  url: database.url,
  entities: [],
  migrations: chosen,
});

/**
 * Inserts orders as the release without order numbers did, in random order. Groups of three have the same creation time, so that a batch of the
 * migration ends within a group.
 */
const insert = (count: number) =>
  sql.query(
    `INSERT INTO orders (id, account_id, order_date, customer_name, customer_email, customer_address, customer_country,
       package_name, package_price, price_cents, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), now(), 'Ada', 'ada@example.com', 'S', 'N', 'Basic', '1', 100,
       now() - (n / 3) * interval '1 ms', now()
     FROM generate_series(1, $1::int) n ORDER BY random()`,
    [count],
  );

const numbers = async () => {
  const { rows } = await sql.query<{ number: number }>(
    'SELECT number::int FROM orders ORDER BY created_at, id',
  );
  return rows.map(({ number }) => number);
};
const consecutive = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

test('existing orders are numbered in the order of their creation, and orders that the earlier release places afterwards get the next numbers', async () => {
  await runMigrations(options(migrations.filter((one) => one !== OrderNumbers)));
  await insert(25_000);
  await runMigrations(options(migrations));
  expect(await numbers()).toEqual(consecutive(1001, 25_000));
  await insert(1);
  expect((await numbers()).at(-1)).toBe(26_001);
});

test('the migration can be reversed, and starts over after an interruption', async () => {
  const dataSource = await new DataSource(dataSourceOptions(options(migrations))).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const migration = new OrderNumbers();
    await migration.down(runner);
    await expect(numbers()).rejects.toThrow('"number" does not exist');
    await insert(10);
    // As an interrupted migration leaves the table.
    await sql.query('ALTER TABLE orders ADD COLUMN number bigint');
    await sql.query('CREATE SEQUENCE orders_number OWNED BY orders.number');
    await sql.query('UPDATE orders SET number = 5 WHERE id = (SELECT id FROM orders LIMIT 1)');
    await migration.up(runner);
    // 10 orders, and the 25 001 of the first test.
    expect(await numbers()).toEqual(consecutive(1001, 25_011));
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
});
