import { runMigrationJob } from '#libs/platform';
import { contentDatabase } from './database.js';

await runMigrationJob('content', contentDatabase);
