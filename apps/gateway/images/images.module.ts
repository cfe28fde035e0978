import { Module } from '@nestjs/common';
import { IMAGE_STORAGE, createImageStorage } from '#libs/file-storage';
import { imageOperations } from '#libs/contracts';
import { AnswersModule } from '../answers/answers.module.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.js';
import { relayControllerOf } from '../routing/serves.js';
import { ImageFiles } from './image-files.js';
import { type ChildProgram, IMAGE_CHILD, ImageProcessor } from './image-processor.js';
import { ImageSweeper } from './image-sweeper.js';
import { ImageUploads } from './image-uploads.js';
import { ImageController } from './image.controller.js';

@Module({
  imports: [AnswersModule],
  controllers: [relayControllerOf(imageOperations), ImageController],
  providers: [
    { provide: IMAGE_STORAGE, inject: [GATEWAY_CONFIG], useFactory: createImageStorage },
    {
      provide: ImageProcessor,
      inject: [GATEWAY_CONFIG, IMAGE_CHILD],
      useFactory: ({ IMAGE_LIMIT_MEGAPIXELS }: GatewayConfig, child: ChildProgram) =>
        new ImageProcessor({ limits: { maxPixels: IMAGE_LIMIT_MEGAPIXELS * 1e6 }, child }),
    },
    ...[ImageUploads, ImageFiles, ImageSweeper],
  ],
  exports: [ImageFiles],
})
export class ImagesModule {}
