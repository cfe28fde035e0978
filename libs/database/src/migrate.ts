import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource, MigrationExecutor } from 'typeorm';
import { describeError, isConnectionError } from './database-errors.js';
import { dataSourceOptions, type DatabaseOptions } from './database.options.js';

const logger = new Logger('Database');

/** Arbitrary, but the same in every process that migrates. Locks are per database. */
const migrationLock = 7_205_311;

/**
 * Applies the pending migrations, each in its own transaction unless it sets `transaction = false`, and returns their names. Any number of processes
 * may call it: an advisory lock lets one work while the others wait. The lock belongs to the connection, so it is released however the process ends.
 */
export async function runMigrations(options: DatabaseOptions): Promise<string[]> {
  const base = dataSourceOptions(options);
  const dataSource = await connect(
    () =>
      new DataSource({
        ...base,
        poolSize: 1,
        // Building an index, or waiting for another replica that builds it, may take a long time.
        extra: {
          ...base.extra,
          statement_timeout: 0,
          query_timeout: 0,
          idle_in_transaction_session_timeout: 0,
        },
      }),
    options,
  );
  try {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [migrationLock]);
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return (await executor.executePendingMigrations()).map((migration) => migration.name);
    } finally {
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Waits for Postgres, applies (or waits for) the migrations, and opens the connection pool. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  if (options.migrationsAtStart !== 'wait') await runMigrations(options);
  const dataSource = await connect(() => new DataSource(dataSourceOptions(options)), options);
  if (options.migrationsAtStart === 'wait') {
    try {
      await waitForSchema(dataSource, options);
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
  }
  return dataSource;
}

/** A schema newer than this version is fine. */
async function waitForSchema(dataSource: DataSource, options: DatabaseOptions): Promise<void> {
  const waitMs = bootTimeoutOf(options);
  const giveUpAt = performance.now() + waitMs;
  for (let warned = false; ; warned = true) {
    const missing = await missingMigrations(dataSource);
    if (missing.length === 0) return;
    if (performance.now() >= giveUpAt) {
      const waited = Math.round(waitMs / 1_000);
      throw new Error(
        `The schema at ${addressOf(options.url)} lacks ${missing.join(', ')} after ${waited} s: run the migration program`,
      );
    }
    if (!warned) logger.warn(`Waiting for the migration program: ${missing.join(', ')}`);
    await pause(500);
  }
}

/** Reads only: does not even create the table of migrations. */
async function missingMigrations(dataSource: DataSource): Promise<string[]> {
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const [table] = await dataSource.query<[{ found: string | null }]>(
    `SELECT to_regclass('migrations') AS found`,
  );
  if (table.found === null) return known;
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return known.filter((name) => !applied.has(name));
}

/** Tries again for `bootTimeoutMs` while Postgres cannot be reached. Reports a wrong password or a missing database immediately. */
async function connect(create: () => DataSource, options: DatabaseOptions): Promise<DataSource> {
  const waitMs = bootTimeoutOf(options);
  const giveUpAt = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const dataSource = await create().initialize();
      if (attempt > 1) logger.log('Postgres answers');
      return dataSource;
    } catch (error) {
      const reason = describeError(error);
      if (!isConnectionError(error)) {
        throw new Error(`Cannot open the database at ${addressOf(options.url)}: ${reason}`, { cause: error });
      }
      if (performance.now() >= giveUpAt) {
        const waited = Math.round(waitMs / 1_000);
        throw new Error(
          `Postgres at ${addressOf(options.url)} did not answer within ${waited} s: ${reason}`,
          {
            cause: error,
          },
        );
      }
      if (attempt === 1) logger.warn(`Waiting for Postgres at ${addressOf(options.url)}: ${reason}`);
      await pause(Math.min(1_000, 100 * attempt));
    }
  }
}

const bootTimeoutOf = ({ bootTimeoutMs = 60_000 }: DatabaseOptions): number => bootTimeoutMs;

/** Without credentials. */
function addressOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
