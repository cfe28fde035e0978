import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { EntryModule } from '../entry/entry.module.js';
import { ImageModule } from '../image/image.module.js';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { SiteRepository } from './site.repository.js';
import { SiteService } from './site.service.js';

/** All content, for the gateway and for the services that keep a copy of some of it. */
@Module({
  imports: [EntryModule, ImageModule, SiteVersionModule],
  controllers: [controllerOf(SiteService)],
  providers: [SiteRepository, SiteService],
})
export class SiteModule {}
