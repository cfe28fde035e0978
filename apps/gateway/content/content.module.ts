import { Module } from '@nestjs/common';
import { siteOperations } from '#libs/operations';
import { AnswersModule } from '../answers/answers.module.js';
import { relayControllerOf } from '../routing/serves.js';
import { sectionControllers, SiteController } from './content.controllers.js';
import { ReadyAnswers } from './ready-answers.js';
import { ContentCache } from './content-cache.js';

@Module({
  imports: [AnswersModule],
  controllers: [relayControllerOf(siteOperations), SiteController, ...sectionControllers],
  providers: [ContentCache, ReadyAnswers],
  exports: [ContentCache, ReadyAnswers],
})
export class ContentModule {}
