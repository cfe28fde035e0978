import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AnswersModule } from '../answers/answers.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { LiveSessions } from '../auth/live-sessions.js';
import { ContentModule } from '../content/content.module.js';
import { ContentCache } from '../content/content-cache.js';
import { PagesModule } from '../pages/pages.module.js';
import { AnswerInterceptor, INVALIDATIONS, type Invalidations } from '../routing/answer.interceptor.js';
import { FrontDoor } from './front-door.js';

@Module({
  imports: [AnswersModule, AuthModule, ContentModule, PagesModule],
  providers: [
    FrontDoor,
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
    {
      provide: INVALIDATIONS,
      inject: [LiveSessions, ContentCache],
      useFactory: (sessions: LiveSessions, content: ContentCache): Invalidations => ({
        cachedSessions: () => sessions.clearCache(),
        cachedContent: () => content.includeOwnWrite(),
      }),
    },
  ],
})
export class FrontDoorModule {}
