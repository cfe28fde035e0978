import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, outboxAndInboxMigrations } from '#libs/database';
import type { ContentConfig } from './config.js';
import { EntryController } from './entry/entry.controller.js';
import { Entry } from './entry/entry.entity.js';
import { EntryHistory } from './entry/entry-history.entity.js';
import { EntryService } from './entry/entry.service.js';
import { EntryWriter } from './entry/entry.writer.js';
import { contentMigrations } from './migrations/index.js';
import { SEED, SeedService } from './seed/seed.service.js';
import { SiteController } from './site/site.controller.js';
import { SiteService } from './site/site.service.js';

@Module({})
export class AppModule {
  static forRoot({ DATABASE_URL, DATABASE_POOL_SIZE, SEED: seed }: ContentConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: DATABASE_URL,
          poolSize: DATABASE_POOL_SIZE,
          applicationName: 'content',
          entities: [Entry, EntryHistory],
          migrations: [...outboxAndInboxMigrations, ...contentMigrations],
        }),
      ],
      controllers: [EntryController, SiteController],
      providers: [EntryService, EntryWriter, SiteService, SeedService, { provide: SEED, useValue: seed }],
    };
  }
}
