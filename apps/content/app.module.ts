import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import { AuditController } from './audit/audit.controller.js';
import type { ContentConfig } from './config.js';
import { contentDatabase } from './database.js';
import { EntryController } from './entry/entry.controller.js';
import { EntryService } from './entry/entry.service.js';
import { EntryWriter } from './entry/entry.writer.js';
import { ImageController } from './image/image.controller.js';
import { ImageService } from './image/image.service.js';
import { SEED, SeedService } from './seed/seed.service.js';
import { SiteAnnouncer } from './site-version/site-announcer.js';
import { SiteController } from './site/site.controller.js';
import { SiteService } from './site/site.service.js';

@Module({})
export class AppModule {
  static forRoot(config: ContentConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [DatabaseModule.forRoot(contentDatabase(config))],
      controllers: [AuditController, EntryController, ImageController, SiteController],
      providers: [
        ...[EntryService, EntryWriter, ImageService],
        ...[SiteService, SiteAnnouncer, SeedService, { provide: SEED, useValue: config.SEED }],
      ],
    };
  }
}
