import { Module } from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/platform';
import { ContentFollower, controllerOf, RpcClient } from '#libs/transport';
import { BrandService } from './brand.service.js';
import { SiteCopyRepository } from './site-copy.repository.js';

const contentDeadlineMs = 5_000;

@Module({
  controllers: [controllerOf(ContentFollower)],
  providers: [
    BrandService,
    SiteCopyRepository,
    {
      provide: ContentFollower,
      inject: [RpcClient, SiteCopyRepository, LOGGER],
      useFactory: (rpc: RpcClient, copy: SiteCopyRepository, logger: Logger) =>
        new ContentFollower({ rpc, copies: [copy], deadlineMs: contentDeadlineMs, logger }),
    },
  ],
  exports: [BrandService, SiteCopyRepository],
})
export class SiteModule {}
