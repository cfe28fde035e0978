import { Module } from '@nestjs/common';
import { SiteCopies } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import { ContentFollower, controllerOf, RpcClient } from '#libs/transport';
import { SiteModule } from '../site/site.module.js';
import { PackageOfferService } from './package-offer.service.js';
import { PackageProjectionService } from './package-projection.service.js';
import { PackageRepository } from './package.repository.js';

/** Short: a customer who places an order may be waiting. */
const contentDeadlineMs = 1000;

@Module({
  imports: [SiteModule],
  controllers: [controllerOf(ContentFollower)],
  providers: [
    ...[PackageRepository, PackageProjectionService, PackageOfferService],
    {
      provide: ContentFollower,
      inject: [RpcClient, PackageProjectionService, SiteCopies, LOGGER],
      useFactory: (rpc: RpcClient, packages: PackageProjectionService, site: SiteCopies, logger: Logger) =>
        new ContentFollower({ rpc, copies: [packages, site], deadlineMs: contentDeadlineMs, logger }),
    },
  ],
  exports: [PackageOfferService],
})
export class PackageModule {}
