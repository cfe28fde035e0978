import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ProjectsConfig } from './config.js';
import { PREVIEW_OPTIONS, type PreviewOptions } from './file/preview-renderer.js';
import { MAIL_READER_OPTIONS, type MailReaderOptions } from './inbound-mail/isolated-mail-reader.js';

export const PROJECTS_CONFIG = Symbol('projects config');

@Global()
@Module({})
export class ConfigModule {
  static forRoot(
    config: ProjectsConfig,
    mailReader: MailReaderOptions,
    previews: PreviewOptions,
  ): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: PROJECTS_CONFIG, useValue: config },
        { provide: MAIL_READER_OPTIONS, useValue: mailReader },
        { provide: PREVIEW_OPTIONS, useValue: previews },
      ],
      exports: [PROJECTS_CONFIG, MAIL_READER_OPTIONS, PREVIEW_OPTIONS],
    };
  }
}
