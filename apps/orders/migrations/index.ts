import { outboxAndInboxMigrations } from '#libs/database';
import { Orders1764000000000 } from './1764000000000-orders.js';
import { Payments1764000100000 } from './1764000100000-payments.js';

/** In the order in which they run. */
export const migrations = [...outboxAndInboxMigrations, Orders1764000000000, Payments1764000100000];
