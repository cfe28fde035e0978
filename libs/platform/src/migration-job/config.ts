import { z } from 'zod';
import { loadConfig } from '../config.js';
import { processSettings, serviceSettings } from '../settings.js';

const { DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS } = serviceSettings;

/** What of a service's settings its database is made of. */
const databaseSettings = z.object({ DATABASE_URL, DATABASE_POOL_SIZE, DATABASE_MIGRATIONS });
export type DatabaseConfig = z.output<typeof databaseSettings>;

const jobSettings = databaseSettings.extend({ LOG_LEVEL: processSettings.LOG_LEVEL });

/** Exits with one line per bad setting. */
export const readMigrationJobConfig = () => loadConfig(jobSettings, process.env);
