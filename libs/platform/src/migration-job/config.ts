import { z } from 'zod';
import { loadConfig } from '../config.js';
import { processSettings, serviceSettings, setting } from '../settings.js';

const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS } = serviceSettings;

/** A service's settings that concern its database. */
const databaseSettings = z.object({ DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS });
export type DatabaseConfig = z.output<typeof databaseSettings>;

export const migrationJobSettings = databaseSettings.extend({
  LOG_LEVEL: processSettings.LOG_LEVEL,
  /** The names of the migrations to apply; default: all. A restore sets it to recreate the schema of the backup. */
  MIGRATIONS_ONLY: setting.list().optional(),
});

/** Reads the settings. If any is invalid, prints one line for each, and exits. */
export const readMigrationJobConfig = () => loadConfig(migrationJobSettings, process.env);
