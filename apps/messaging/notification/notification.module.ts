import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { MessageModule } from '../message/message.module.js';
import { SiteModule } from '../site/site.module.js';
import { NotificationQueue } from './notification-queue.js';
import { NotificationService } from './notification.service.js';
import { ProjectNotificationService } from './project-notification.service.js';
import { ServiceClients } from './service-clients.js';

@Module({
  imports: [MailModule, MessageModule, SiteModule],
  controllers: [NotificationService, ProjectNotificationService].map(controllerOf),
  providers: [
    NotificationQueue,
    NotificationService,
    ProjectNotificationService,
    RecipientLimits,
    ServiceClients,
  ],
})
export class NotificationModule {}
