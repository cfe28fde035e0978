import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { ImageRepository } from './image.repository.js';
import { ImageService } from './image.service.js';

@Module({
  imports: [SiteVersionModule],
  controllers: [controllerOf(ImageService)],
  providers: [ImageRepository, ImageService],
  exports: [ImageRepository],
})
export class ImageModule {}
