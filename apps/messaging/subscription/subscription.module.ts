import { Module } from '@nestjs/common';
import { CampaignModule } from '../campaign/campaign.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { SubscriptionController } from './subscription.controller.js';
import { SubscriptionService } from './subscription.service.js';

/** What subscribers do with the links in their mails. */
@Module({
  imports: [CampaignModule, SubscriberModule],
  controllers: [SubscriptionController],
  providers: [SubscriptionService],
})
export class SubscriptionModule {}
