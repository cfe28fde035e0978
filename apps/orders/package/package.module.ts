import { Module } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { ContentFollower, controllerOf, RpcClient } from '#libs/transport';
import { PackageOfferService } from './package-offer.service.js';
import { PackageProjectionService } from './package-projection.service.js';
import { PackageRepository } from './package.repository.js';

/** A customer may be waiting for the answer. */
const contentDeadlineMs = 1000;

@Module({
  controllers: [controllerOf(ContentFollower)],
  providers: [
    ...[PackageRepository, PackageProjectionService, PackageOfferService],
    {
      provide: ContentFollower,
      inject: [RpcClient, PackageProjectionService, LOGGER],
      useFactory: (rpc: RpcClient, copy: PackageProjectionService, logger: Logger) =>
        new ContentFollower({ rpc, copy, deadlineMs: contentDeadlineMs, logger }),
    },
  ],
  exports: [PackageOfferService],
})
export class PackageModule {}
