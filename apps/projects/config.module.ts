import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { ProjectsConfig } from './config.js';
import { PREVIEW_OPTIONS, type PreviewOptions } from './file/preview-renderer.js';
import { MAIL_READING_OPTIONS, type MailReadingOptions } from './inbound-mail/mail-reading.js';

/** Nest's injection token for the configuration. Its type is `ProjectsConfig`. */
export const PROJECTS_CONFIG = Symbol('projects config');

@Global()
@Module({})
export class ConfigModule {
  static forRoot(
    config: ProjectsConfig,
    mailReading: MailReadingOptions,
    previews: PreviewOptions,
  ): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: PROJECTS_CONFIG, useValue: config },
        { provide: MAIL_READING_OPTIONS, useValue: mailReading },
        { provide: PREVIEW_OPTIONS, useValue: previews },
      ],
      exports: [PROJECTS_CONFIG, MAIL_READING_OPTIONS, PREVIEW_OPTIONS],
    };
  }
}
