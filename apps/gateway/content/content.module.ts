import { Module } from '@nestjs/common';
import { siteOperations } from '#libs/operations';
import { AnswersModule } from '../answers/answers.module.js';
import { relays } from '../routing/serves.js';
import { sectionControllers, SiteController } from './content.controllers.js';
import { ReadyAnswers } from './ready-answers.js';
import { SiteSnapshot } from './site-snapshot.js';

@Module({
  imports: [AnswersModule],
  controllers: [relays(siteOperations), SiteController, ...sectionControllers],
  providers: [SiteSnapshot, ReadyAnswers],
  exports: [SiteSnapshot, ReadyAnswers],
})
export class ContentModule {}
