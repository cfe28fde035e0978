import { runMigrationJob } from '#libs/platform';
import { ordersDatabase } from './database.js';

await runMigrationJob('orders', ordersDatabase);
