import type { ServiceName } from '#libs/contracts';
import type { DatabaseOptions } from '#libs/database';
import { createLogger } from '../logger.js';
import { NestLogger } from '../nest-logger.js';
import { crashOnUnhandled } from '../shutdown.js';
import { type DatabaseConfig, readMigrationJobConfig } from './config.js';

/** Applies missing migrations, logs them, and exits with 0, or with 1 if it fails. */
export async function runMigrationJob(
  service: ServiceName,
  databaseOptionsFrom: (config: DatabaseConfig) => DatabaseOptions,
): Promise<void> {
  const config = readMigrationJobConfig();
  const logger = createLogger(`${service}-migrations`, config.LOG_LEVEL);
  crashOnUnhandled(logger);
  try {
    // Loaded only here, because the web process imports this library too, and needs neither Nest nor a database driver.
    const [{ Logger }, { runMigrations }] = await Promise.all([
      import('@nestjs/common'),
      import('#libs/database'),
    ]);
    Logger.overrideLogger(new NestLogger(logger));
    const applied = await runMigrations(
      selectMigrations(databaseOptionsFrom(config), config.MIGRATIONS_ONLY),
    );
    logger.info({ applied }, applied.length > 0 ? 'Migrated' : 'Nothing to migrate');
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error }, 'Migration failed');
    process.exit(1);
  }
}

function selectMigrations(options: DatabaseOptions, only: string[] | undefined): DatabaseOptions {
  if (only === undefined) return options;
  const known = new Map(
    options.migrations.map((migration) => [new migration().name ?? migration.name, migration]),
  );
  const unknown = only.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`This version does not know the migrations ${unknown.join(', ')}`);
  return { ...options, migrations: only.map((name) => known.get(name)!) };
}
