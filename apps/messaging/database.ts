import type { DatabaseOptions } from '#libs/database';
import type { MessagingConfig } from './config.js';
import { MessageEntity } from './message/message.entity.js';
import { migrations } from './migrations/index.js';
import { SubscriberEntity } from './subscriber/subscriber.entity.js';

export function messagingDatabase(config: MessagingConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'messaging',
    entities: [MessageEntity, SubscriberEntity],
    migrations,
  };
}
