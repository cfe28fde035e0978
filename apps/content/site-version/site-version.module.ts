import { Module } from '@nestjs/common';
import { SiteAnnouncer } from './site-announcer.js';
import { SiteVersionRepository } from './site-version.repository.js';

/** The version of the site, which grows with each change of its content. */
@Module({
  providers: [SiteAnnouncer, SiteVersionRepository],
  exports: [SiteAnnouncer, SiteVersionRepository],
})
export class SiteVersionModule {}
