import { z } from 'zod';
import { loadConfig } from '../config.js';
import { processSettings, serviceSettings, setting } from '../settings.js';

const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS } = serviceSettings;

const databaseSettings = z.object({ DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS });
export type DatabaseConfig = z.output<typeof databaseSettings>;

export const migrationJobSettings = databaseSettings.extend({
  LOG_LEVEL: processSettings.LOG_LEVEL,
  /** Names of migrations; default: all. A restore sets it to recreate the schema of the backup. */
  MIGRATIONS_ONLY: setting.list().optional(),
});

export const readMigrationJobConfig = () => loadConfig(migrationJobSettings, process.env);
