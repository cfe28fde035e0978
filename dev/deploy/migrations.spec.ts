import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { serviceNames } from '#libs/contracts';
import { breakingChanges } from './breaking-changes.js';

type MigrationClass = new () => MigrationInterface;

/** Migrations that are allowed to do more than add. A migration may remove something only if no version that is still running uses it. */
const allowed: Record<string, string> = {
  Google1765000200000: 'before the first release: no previous version ran anywhere',
  OneComingKey1765000130000: 'before the first release: no previous version ran anywhere',
  OrderDayTotals1764200000000: 'before the first release: no previous version ran anywhere',
  UndoAndOrder1766100000000: 'replaces a check with one that allows more',
  RestoredAdmins1767000100000: 'replaces a check with one that allows more',
  OrderNumbers1770000400000:
    'requires numbers, but a default assigns them, also to orders that the previous version adds',
  ProviderCheckouts1771000000000:
    'its unique indexes cover only rows in which a new column has been set, and the previous version sets no new column',
  Subscriptions1772000000000:
    'makes unique only columns that it adds and that the previous version leaves empty',
  Invoices1773000000000:
    'its triggers against TRUNCATE are only on tables that it creates, which the previous version does not use',
  Campaigns1767000200000: 'checks only columns that it adds and that the previous version leaves empty',
};

const files = [
  ...readdirSync('apps').flatMap((app) => filesIn(join('apps', app, 'migrations'), /^\d+-.*\.ts$/)),
  ...filesIn('libs/database/src', /\.migration\.ts$/),
];

function filesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => pattern.test(file))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}

async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string) => {
    statements.push(sql);
    return Promise.resolve([]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return statements;
}

async function migrationsIn(file: string): Promise<MigrationInterface[]> {
  const exported = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  const classes = Object.values(exported).flat();
  return classes
    .filter((one): one is MigrationClass => typeof one === 'function' && 'up' in (one.prototype as object))
    .map((one) => new one());
}

const nameOf = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

test('there are migrations of every service', () => {
  const services = files.flatMap((file) => /^apps\/(\w+)/.exec(file)?.[1] ?? []);
  expect(new Set(services)).toEqual(new Set(serviceNames));
});

test.each(files)(
  '%s only adds, so the previous version still works, unless `allowed` permits more',
  async (file) => {
    const migrations = await migrationsIn(file);
    expect(migrations.length).toBeGreaterThan(0);
    for (const migration of migrations) {
      const changes = breakingChanges(await statementsOf(migration));
      if (nameOf(migration) in allowed) expect(changes).not.toEqual([]);
      else expect(changes).toEqual([]);
    }
  },
);

describe('breaking changes for the previous version', () => {
  test.each([
    ['a dropped column', 'ALTER TABLE orders DROP COLUMN note'],
    ['a dropped table', 'DROP TABLE orders'],
    ['a renamed column', 'ALTER TABLE orders RENAME COLUMN note TO remark'],
    ['a changed type', 'ALTER TABLE orders ALTER COLUMN note TYPE varchar(10)'],
    ['a new NOT NULL constraint', 'ALTER TABLE orders ALTER note SET NOT NULL'],
    [
      'a new required column without a default',
      'ALTER TABLE orders ADD COLUMN a text, ADD COLUMN b text NOT NULL',
    ],
    [
      'a required column, in short syntax and with DEFAULT only in a comment',
      'ALTER TABLE orders ADD b text NOT NULL -- with no DEFAULT',
    ],
    ['a new constraint', 'ALTER TABLE orders ADD CONSTRAINT some CHECK (price > 0)'],
    ['a new unique index', 'CREATE UNIQUE INDEX orders_name ON orders (name)'],
  ])('include %s', (_name, sql) => expect(breakingChanges([sql])).toHaveLength(1));

  test.each([
    ['a new table', 'CREATE TABLE notes (id uuid PRIMARY KEY, text text NOT NULL)'],
    ['a new index', 'CREATE INDEX orders_name ON orders (name)'],
    ['a new nullable column', 'ALTER TABLE orders ADD COLUMN note text'],
    ['a new column with a default', `ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT ''`],
    ['new rows', `INSERT INTO notes VALUES ('x')`],
  ])('do not include %s', (_name, sql) => expect(breakingChanges([sql])).toEqual([]));

  test('do not include changes to a table that the migration creates', () => {
    const createTable = ['CREATE TABLE notes (id uuid)', 'CREATE UNIQUE INDEX one_note ON notes (id)'];
    expect(breakingChanges([...createTable, 'ALTER TABLE notes ADD CONSTRAINT some CHECK (true)'])).toEqual(
      [],
    );
  });

  test('are found in each statement of a query', () => {
    const query =
      'CREATE TABLE notes (id uuid); ALTER TABLE notes ADD text text; ALTER TABLE orders DROP COLUMN total';
    expect(breakingChanges([query])).toHaveLength(1);
  });
});
