import type { DatabaseOptions } from '#libs/database';
import type { MessagingConfig } from './config.js';
import { migrations } from './migrations/index.js';

export function messagingDatabase(config: MessagingConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'messaging',
    entities: [],
    migrations,
  };
}
