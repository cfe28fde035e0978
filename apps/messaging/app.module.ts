import { type DynamicModule, Module } from '@nestjs/common';
import { auditController, DatabaseModule } from '#libs/database';
import { RpcModule } from '#libs/platform';
import { AccountMailModule } from './account-mail/account-mail.module.js';
import { CampaignModule } from './campaign/campaign.module.js';
import type { MessagingConfig } from './config.js';
import { ConfigModule } from './config.module.js';
import { messagingDatabase } from './database.js';
import { DeletedRecordModule } from './deleted/deleted-record.module.js';
import { DemoDataModule } from './demo-data/demo-data.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { MailModule } from './mail/mail.module.js';
import { MailTextModule } from './mail-text/mail-text.module.js';
import { MessageModule } from './message/message.module.js';
import { NewsletterSubscriptionModule } from './newsletter-subscription/newsletter-subscription.module.js';
import { NotificationModule } from './notification/notification.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import { SiteModule } from './site/site.module.js';
import { SubscriberModule } from './subscriber/subscriber.module.js';

@Module({})
export class AppModule {
  static forRoot(config: MessagingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(messagingDatabase(config)),
        RpcModule.forRoot({ caller: 'messaging', redisUrl: config.REDIS_URL }),
        ...[AccountMailModule, CampaignModule, DeletedRecordModule, DeliveryModule, MailModule],
        ...[MailTextModule, MessageModule, NotificationModule, PersonalDataModule, SiteModule],
        ...[SubscriberModule, NewsletterSubscriptionModule, DemoDataModule],
      ],
      controllers: [auditController('messaging')],
    };
  }
}
