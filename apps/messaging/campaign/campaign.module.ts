import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { CampaignEmailService } from './campaign-email.service.js';
import { CampaignPace } from './campaign-pace.js';
import { CampaignPaceRepository } from './campaign-pace.repository.js';
import { CampaignRepository } from './campaign.repository.js';
import { CampaignService } from './campaign.service.js';
import { CampaignWorker } from './campaign.worker.js';

@Module({
  imports: [MailModule, SiteModule, SubscriberModule],
  controllers: [controllerOf(CampaignService)],
  providers: [
    CampaignEmailService,
    CampaignPace,
    CampaignPaceRepository,
    CampaignRepository,
    CampaignService,
    CampaignWorker,
  ],
  exports: [CampaignEmailService, CampaignRepository],
})
export class CampaignModule {}
