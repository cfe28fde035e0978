import { outboxAndInboxMigrations } from '#libs/database';
import { Orders1764000000000 } from './1764000000000-orders.js';

/** In the order in which they run. */
export const migrations = [...outboxAndInboxMigrations, Orders1764000000000];
