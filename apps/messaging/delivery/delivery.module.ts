import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { controllerOf } from '#libs/transport';
import { CampaignModule } from '../campaign/campaign.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { BounceService } from './bounce.service.js';
import { DeliveryRepository } from './delivery.repository.js';
import { DeliveryWorker } from './delivery.worker.js';
import { InvoiceAttachmentService } from './invoice-attachment.service.js';
import { MailMetrics } from './mail-metrics.js';
import { UnreadMessagesService } from './unread-messages.service.js';

@Module({
  imports: [CampaignModule, MailModule, SiteModule, SubscriberModule],
  controllers: [controllerOf(BounceService)],
  providers: [
    BounceService,
    DeliveryRepository,
    DeliveryWorker,
    InvoiceAttachmentService,
    MailMetrics,
    RecipientLimits,
    UnreadMessagesService,
  ],
})
export class DeliveryModule {}
