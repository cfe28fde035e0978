import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module.js';
import { DocsController } from './docs.controller.js';

@Module({ imports: [AnswersModule], controllers: [DocsController] })
export class OpenApiModule {}
