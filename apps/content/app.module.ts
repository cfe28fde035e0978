import { type DynamicModule, Module } from '@nestjs/common';
import { auditController, DatabaseModule } from '#libs/database';
import type { ContentConfig } from './config.js';
import { contentDatabase } from './database.js';
import { EntryModule } from './entry/entry.module.js';
import { ImageModule } from './image/image.module.js';
import { SeedModule } from './seed/seed.module.js';
import { SetupModule } from './setup/setup.module.js';
import { SiteModule } from './site/site.module.js';
import { SiteVersionModule } from './site-version/site-version.module.js';

@Module({})
export class AppModule {
  static forRoot(config: ContentConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot(contentDatabase(config)),
        ...[EntryModule, ImageModule, SeedModule.forRoot(config), SetupModule, SiteModule, SiteVersionModule],
      ],
      controllers: [auditController('content')],
    };
  }
}
