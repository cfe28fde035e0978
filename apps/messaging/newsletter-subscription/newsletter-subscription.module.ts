import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { CampaignModule } from '../campaign/campaign.module.js';
import { DeletedModule } from '../deleted/deleted.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { NewsletterSubscriptionService } from './newsletter-subscription.service.js';

@Module({
  imports: [CampaignModule, DeletedModule, SubscriberModule],
  controllers: [controllerOf(NewsletterSubscriptionService)],
  providers: [NewsletterSubscriptionService],
})
export class NewsletterSubscriptionModule {}
