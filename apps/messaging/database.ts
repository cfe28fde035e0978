import type { DatabaseOptions } from '#libs/database';
import type { DatabaseConfig } from '#libs/platform';
import { CampaignEntity } from './campaign/campaign.entity.js';
import { MailEntity } from './mail/mail.entity.js';
import { MessageEntity } from './message/message.entity.js';
import { migrations } from './migrations/index.js';
import { SubscriberEntity } from './subscriber/subscriber.entity.js';

export function messagingDatabase(config: DatabaseConfig): DatabaseOptions {
  return {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    migrationsAtStart: config.DATABASE_MIGRATIONS,
    applicationName: 'messaging',
    entities: [CampaignEntity, MailEntity, MessageEntity, SubscriberEntity],
    migrations,
  };
}
