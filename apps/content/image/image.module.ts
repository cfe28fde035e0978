import { Module } from '@nestjs/common';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { ImageController } from './image.controller.js';
import { ImageRepository } from './image.repository.js';
import { ImageService } from './image.service.js';

/** Uploaded pictures. */
@Module({
  imports: [SiteVersionModule],
  controllers: [ImageController],
  providers: [ImageRepository, ImageService],
  exports: [ImageRepository],
})
export class ImageModule {}
