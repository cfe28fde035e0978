import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AnswersModule } from '../answers/answers.module.js';
import { ProblemFilter } from './problem.filter.js';
import { ProblemSender } from './problem.sender.js';

@Module({
  imports: [AnswersModule],
  providers: [ProblemSender, { provide: APP_FILTER, useClass: ProblemFilter }],
})
export class ProblemModule {}
