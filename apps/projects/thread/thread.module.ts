import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { BroadcastModule } from '../broadcast/broadcast.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { FileModule } from '../file/file.module.js';
import { MessageService } from './message.service.js';
import { NoteService } from './note.service.js';
import { StaffThreadRepository } from './staff-thread.repository.js';
import { StaffThreadService } from './staff-thread.service.js';
import { ThreadPositionService } from './thread-position.service.js';
import { ThreadRepository } from './thread.repository.js';
import { ThreadService } from './thread.service.js';
import { UnreadMailService } from './unread-mail.service.js';
import { UnreadMessageWorker } from './unread-message.worker.js';

const handlers = [ThreadService, StaffThreadService, ThreadPositionService, UnreadMailService];

/** Exports `MessageService` for replies by mail. */
@Module({
  imports: [AccessModule, BroadcastModule, EntryModule, FileModule],
  controllers: handlers.map(controllerOf),
  providers: [
    ...handlers,
    ...[MessageService, NoteService, ThreadRepository, StaffThreadRepository],
    UnreadMessageWorker,
    repeatedWork(UnreadMessageWorker, 15_000, (worker) => worker.run(), 'Looking for unread messages failed'),
  ],
  exports: [MessageService],
})
export class ThreadModule {}
