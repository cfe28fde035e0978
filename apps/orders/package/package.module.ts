import { Module } from '@nestjs/common';
import { ContentClient } from './content.client.js';
import { PackageController } from './package.controller.js';
import { PackageOfferService } from './package-offer.service.js';
import { PackageProjectionService } from './package-projection.service.js';
import { PackageRepository } from './package.repository.js';

@Module({
  controllers: [PackageController],
  providers: [ContentClient, PackageRepository, PackageProjectionService, PackageOfferService],
  exports: [PackageOfferService],
})
export class PackageModule {}
