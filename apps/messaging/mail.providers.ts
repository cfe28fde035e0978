import type { Provider } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { CampaignLetters } from './campaign/campaign-letters.js';
import { CampaignPace, PaceClock } from './campaign/campaign-pace.js';
import { CampaignRunner } from './campaign/campaign-runner.js';
import { CampaignService } from './campaign/campaign.service.js';
import { Colleagues } from './colleagues.js';
import { NoticeService } from './notice/notice.service.js';
import { Suppressions } from './suppression/suppressions.js';
import { SiteBrand } from './site/site-brand.js';
import { SiteCopy } from './site/site-copy.js';
import { SiteFollower } from './site/site-follower.js';
import { MailEventsService } from './mail/mail-events.service.js';
import { MailMetrics } from './mail/mail-metrics.js';
import { MailQueue } from './mail/mail-queue.js';
import { MAIL_SETTINGS, type MailSettings } from './mail/mail-settings.js';
import { MailWorker } from './mail/mail-worker.js';
import { MailService } from './mail/mail.service.js';

/** What mail adds to the service. */
export function mailProviders(settings: MailSettings): Provider[] {
  return [
    { provide: MAIL_SETTINGS, useValue: settings },
    ...[Colleagues, NoticeService],
    ...[SiteCopy, SiteFollower, SiteBrand],
    ...[CampaignLetters, CampaignPace, PaceClock, CampaignRunner, CampaignService],
    ...[RecipientLimits, Suppressions, MailQueue, MailMetrics, MailEventsService, MailService, MailWorker],
  ];
}
