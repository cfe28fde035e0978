import { Module } from '@nestjs/common';
import { SiteAnnouncer } from './site-announcer.js';
import { SiteVersionRepository } from './site-version.repository.js';

@Module({
  providers: [SiteAnnouncer, SiteVersionRepository],
  exports: [SiteAnnouncer, SiteVersionRepository],
})
export class SiteVersionModule {}
