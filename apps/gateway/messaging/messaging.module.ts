import { Module } from '@nestjs/common';
import {
  campaignOperations,
  mailOperations,
  messageOperations,
  subscriberImportOperations,
  subscriberOperations,
} from '#libs/contracts';
import { AnswersModule } from '../answers/answers.module.js';
import { ContentModule } from '../content/content.module.js';
import { CsvModule } from '../csv/csv.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { relayControllerOf } from '../routing/serves.js';
import { CampaignController } from './campaign.controller.js';
import { MailController } from './mail.controller.js';
import { MessageController } from './message.controller.js';
import { SubscriberImportController } from './subscriber-import.controller.js';
import { SubscriberImports } from './subscriber-imports.js';
import { SubscriberController } from './subscriber.controller.js';
import { NewsletterLinkPages } from './newsletter-link-pages.js';
import { NewsletterSubscriptionController } from './newsletter-subscription.controller.js';

@Module({
  imports: [AnswersModule, ContentModule, CsvModule, PagesModule],
  controllers: [
    ...[campaignOperations, mailOperations, messageOperations].map(relayControllerOf),
    ...[subscriberImportOperations, subscriberOperations].map(relayControllerOf),
    ...[CampaignController, MailController, MessageController],
    ...[SubscriberImportController, SubscriberController, NewsletterSubscriptionController],
  ],
  providers: [SubscriberImports, NewsletterLinkPages],
})
export class MessagingModule {}
