import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module.js';
import { ContentModule } from '../content/content.module.js';
import { SiteFiles } from './site-files.js';

@Module({ imports: [AnswersModule, ContentModule], providers: [SiteFiles], exports: [SiteFiles] })
export class SiteFilesModule {}
