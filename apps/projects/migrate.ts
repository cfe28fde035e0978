import { runMigrationJob } from '#libs/platform';
import { projectsDatabase } from './database.js';

await runMigrationJob('projects', projectsDatabase);
