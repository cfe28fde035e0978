import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import { AuditController } from './audit/audit.controller.js';
import { CampaignController } from './campaign/campaign.controller.js';
import { mailSettingsOf, MESSAGING_CONFIG, type MessagingConfig } from './config.js';
import { messagingDatabase } from './database.js';
import { DeletedRecords } from './deleted/deleted-records.js';
import { DeletedRecordsSweeper } from './deleted/deleted-records.sweeper.js';
import { MailController } from './mail/mail.controller.js';
import { mailProviders } from './mail.providers.js';
import { MessageController } from './message/message.controller.js';
import { MessageService } from './message/message.service.js';
import { NoticeController } from './notice/notice.controller.js';
import { PersonalDataController } from './personal-data/personal-data.controller.js';
import { PersonalDataService } from './personal-data/personal-data.service.js';
import { SiteController } from './site/site.controller.js';
import { SubscriberController } from './subscriber/subscriber.controller.js';
import { ConfirmationMails } from './subscriber/confirmation-mails.js';
import { DeletedSubscribers } from './subscriber/deleted-subscribers.js';
import { SubscriberRemovals } from './subscriber/subscriber-removals.js';
import { SubscriberService } from './subscriber/subscriber.service.js';
import { SubscriberImportsController } from './subscriber/subscriber-imports.controller.js';
import { SubscriberImportsService } from './subscriber/subscriber-imports.service.js';
import { SubscriptionController } from './subscriber/subscription.controller.js';
import { SubscriptionService } from './subscriber/subscription.service.js';

@Module({})
export class AppModule {
  static forRoot(config: MessagingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [DatabaseModule.forRoot(messagingDatabase(config))],
      controllers: [
        AuditController,
        CampaignController,
        MailController,
        MessageController,
        NoticeController,
        PersonalDataController,
        SiteController,
        SubscriberController,
        SubscriberImportsController,
        SubscriptionController,
      ],
      providers: [
        { provide: MESSAGING_CONFIG, useValue: config },
        ...[MessageService, PersonalDataService],
        ...[ConfirmationMails, SubscriberService, SubscriptionService, SubscriberImportsService],
        ...[DeletedRecords, DeletedRecordsSweeper, DeletedSubscribers, SubscriberRemovals],
        ...mailProviders(mailSettingsOf(config)),
      ],
    };
  }
}
