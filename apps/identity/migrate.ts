import { runMigrationJob } from '#libs/platform';
import { identityDatabase } from './database.js';

await runMigrationJob('identity', (config) => identityDatabase(config.DATABASE_URL));
