import { Module } from '@nestjs/common';
import { PROJECT_FILE_STORAGE, createProjectFileStorage } from '#libs/file-storage';
import { GATEWAY_CONFIG } from '../config.js';
import { ProjectFileController } from './project-file.controller.js';
import { ProjectUploads } from './project-uploads.js';
import { UploadLocks } from './upload-locks.js';

@Module({
  controllers: [ProjectFileController],
  providers: [
    { provide: PROJECT_FILE_STORAGE, inject: [GATEWAY_CONFIG], useFactory: createProjectFileStorage },
    ...[ProjectUploads, UploadLocks],
  ],
})
export class ProjectFilesModule {}
