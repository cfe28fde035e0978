import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { controllerOf } from '#libs/transport';
import { DeletedRecordModule } from '../deleted/deleted-record.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { ConfirmationMailService } from './confirmation-mail.service.js';
import { DeletedSubscriberRepository } from './deleted-subscriber.repository.js';
import { SubscriberImportRepository } from './subscriber-import.repository.js';
import { SubscriberImportService } from './subscriber-import.service.js';
import { SubscriberRepository } from './subscriber.repository.js';
import { SubscriberService } from './subscriber.service.js';
import { SuppressionService } from './suppression.service.js';

@Module({
  imports: [DeletedRecordModule, MailModule, SiteModule],
  controllers: [controllerOf(SubscriberService), controllerOf(SubscriberImportService)],
  providers: [
    ConfirmationMailService,
    DeletedSubscriberRepository,
    RecipientLimits,
    SubscriberImportRepository,
    SubscriberImportService,
    SubscriberRepository,
    SubscriberService,
    SuppressionService,
  ],
  exports: [
    ConfirmationMailService,
    DeletedSubscriberRepository,
    SubscriberImportRepository,
    SubscriberRepository,
    SuppressionService,
  ],
})
export class SubscriberModule {}
