import { runMigrationJob } from '#libs/platform';
import { messagingDatabase } from './database.js';

await runMigrationJob('messaging', messagingDatabase);
