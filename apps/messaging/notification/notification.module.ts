import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { MessageModule } from '../message/message.module.js';
import { SiteModule } from '../site/site.module.js';
import { NotificationService } from './notification.service.js';
import { ServiceClients } from './service-clients.js';

/** The mails to customers and admins about what happened. */
@Module({
  imports: [MailModule, MessageModule, SiteModule],
  controllers: [controllerOf(NotificationService)],
  providers: [NotificationService, RecipientLimits, ServiceClients],
})
export class NotificationModule {}
