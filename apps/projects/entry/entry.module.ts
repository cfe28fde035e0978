import { Module } from '@nestjs/common';
import { BroadcastModule } from '../broadcast/broadcast.module.js';
import { EntryRepository } from './entry.repository.js';
import { ReaderRepository } from './reader.repository.js';
import { UnreadCheckRepository } from './unread-check.repository.js';

/** Separate from `ThreadModule`, because everything that happens in a project adds an entry. */
@Module({
  imports: [BroadcastModule],
  providers: [EntryRepository, ReaderRepository, UnreadCheckRepository],
  exports: [EntryRepository, ReaderRepository, UnreadCheckRepository],
})
export class EntryModule {}
