import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { pricingPackage, siteName } from '#libs/content-model';
import { SiteCopies } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { ContentFollower, controllerOf, RpcClient } from '#libs/transport';
import { SiteContentService } from './site-content.service.js';

const contentDeadlineMs = 5_000;

/** `footerAbout` is read because it is the fallback for the site's name. */
@Module({
  controllers: [controllerOf(ContentFollower)],
  providers: [
    {
      provide: SiteCopies,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) =>
        new SiteCopies(dataSource, [pricingPackage.name, siteName.name, 'footerAbout']),
    },
    {
      provide: ContentFollower,
      inject: [RpcClient, SiteCopies, LOGGER],
      useFactory: (rpc: RpcClient, site: SiteCopies, logger: Logger) =>
        new ContentFollower({ rpc, copies: [site], deadlineMs: contentDeadlineMs, logger }),
    },
    SiteContentService,
  ],
  exports: [SiteContentService],
})
export class SiteModule {}
