import { z } from 'zod';
import { loadConfig } from '../config.js';
import { processSettings, serviceSettings, setting } from '../settings.js';

const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS } = serviceSettings;

/** The settings of a service that its database needs. */
const databaseSettings = z.object({ DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS });
export type DatabaseConfig = z.output<typeof databaseSettings>;

export const migrationJobSettings = databaseSettings.extend({
  LOG_LEVEL: processSettings.LOG_LEVEL,
  /** Applies only these, by name: a backup is restored into the schema that it was taken from. */
  MIGRATIONS_ONLY: setting.list().optional(),
});

/** Exits with one line per bad setting. */
export const readMigrationJobConfig = () => loadConfig(migrationJobSettings, process.env);
