import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { ImageModule } from '../image/image.module.js';
import { SiteVersionModule } from '../site-version/site-version.module.js';
import { ContentCommandService } from './content-command.service.js';
import { EntryHistoryRepository } from './entry-history.repository.js';
import { EntryRepository } from './entry.repository.js';
import { EntryService } from './entry.service.js';
import { EntryWriter } from './entry.writer.js';

@Module({
  imports: [ImageModule, SiteVersionModule],
  controllers: [controllerOf(EntryService)],
  providers: [ContentCommandService, EntryHistoryRepository, EntryRepository, EntryService, EntryWriter],
  exports: [ContentCommandService, EntryHistoryRepository, EntryRepository, EntryWriter],
})
export class EntryModule {}
