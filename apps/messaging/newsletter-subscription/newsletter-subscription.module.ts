import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { CampaignModule } from '../campaign/campaign.module.js';
import { DeletedRecordModule } from '../deleted/deleted-record.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { NewsletterSubscriptionService } from './newsletter-subscription.service.js';

@Module({
  imports: [CampaignModule, DeletedRecordModule, SubscriberModule],
  controllers: [controllerOf(NewsletterSubscriptionService)],
  providers: [NewsletterSubscriptionService],
})
export class NewsletterSubscriptionModule {}
