import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AnswersModule } from '../answers/answers.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PolicyGuard } from './policy.guard.js';

@Module({
  imports: [AnswersModule, AuthModule, LimitsModule],
  providers: [PolicyGuard, { provide: APP_GUARD, useExisting: PolicyGuard }],
})
export class PolicyModule {}
