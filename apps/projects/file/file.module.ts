import { Module } from '@nestjs/common';
import { PROJECT_FILE_STORAGE, createProjectFileStorage } from '#libs/file-storage';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import type { ProjectsConfig } from '../config.js';
import { PROJECTS_CONFIG } from '../config.module.js';
import { FileExpiryWorker } from './file-expiry.worker.js';
import { FileTaskRepository } from './file-task.repository.js';
import { FileRepository } from './file.repository.js';
import { FileService } from './file.service.js';
import { FileWorker } from './file.worker.js';
import { PREVIEW_OPTIONS, type PreviewOptions, PreviewRenderer } from './preview-renderer.js';
import { ReceivedFileService } from './received-file.service.js';
import { VIRUS_SCANNER, VirusScanner } from './virus-scanner.js';

@Module({
  imports: [AccessModule, EntryModule],
  controllers: [controllerOf(FileService)],
  providers: [
    { provide: PROJECT_FILE_STORAGE, inject: [PROJECTS_CONFIG], useFactory: createProjectFileStorage },
    {
      provide: VIRUS_SCANNER,
      inject: [PROJECTS_CONFIG],
      useFactory: ({ CLAMD_URL: url }: ProjectsConfig) =>
        url === undefined ? null : new VirusScanner({ url }),
    },
    {
      provide: PreviewRenderer,
      // Provided by the global `ConfigModule`.
      inject: [PREVIEW_OPTIONS],
      useFactory: (options: PreviewOptions) => new PreviewRenderer(options),
    },
    ...[FileService, FileRepository, ReceivedFileService, FileTaskRepository, FileWorker, FileExpiryWorker],
  ],
  exports: [FileRepository, ReceivedFileService],
})
export class FileModule {}
