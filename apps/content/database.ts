import { auditMigrations, type DatabaseOptions, outboxAndInboxMigrations } from '#libs/database';
import type { DatabaseConfig } from '#libs/platform';
import { EntryEntity } from './entry/entry.entity.js';
import { EntryHistoryEntity } from './entry/entry-history.entity.js';
import { ImageEntity } from './image/image.entity.js';
import { contentMigrations } from './migrations/index.js';

export function contentDatabase(config: DatabaseConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    migrationsAtStart: config.DATABASE_MIGRATIONS,
    applicationName: 'content',
    entities: [EntryEntity, EntryHistoryEntity, ImageEntity],
    migrations: [...outboxAndInboxMigrations, ...auditMigrations, ...contentMigrations],
  };
}
