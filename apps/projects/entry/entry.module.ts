import { Module } from '@nestjs/common';
import { BroadcastModule } from '../broadcast/broadcast.module.js';
import { EntryRepository } from './entry.repository.js';
import { ReaderRepository } from './reader.repository.js';
import { UnreadCheckRepository } from './unread-check.repository.js';

/** Separate from `ThreadModule`, because opening or changing a project and sending a reminder also add entries. */
@Module({
  imports: [BroadcastModule],
  providers: [EntryRepository, ReaderRepository, UnreadCheckRepository],
  exports: [EntryRepository, ReaderRepository, UnreadCheckRepository],
})
export class EntryModule {}
