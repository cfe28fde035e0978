import { outboxAndInboxMigrations } from '#libs/database';

/** In the order in which they run. */
export const migrations = [...outboxAndInboxMigrations];
