import { Module } from '@nestjs/common';
import { INBOUND_MAIL_STORAGE, createInboundMailStorage } from '#libs/file-storage';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { PROJECTS_CONFIG } from '../config.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { FileModule } from '../file/file.module.js';
import { ThreadModule } from '../thread/thread.module.js';
import { InboundMailMetrics } from './inbound-mail.metrics.js';
import { InboundMailRepository } from './inbound-mail.repository.js';
import { InboundMailService } from './inbound-mail.service.js';
import { InboundMailWorker } from './inbound-mail.worker.js';
import { IsolatedMailReader, MAIL_READER_OPTIONS, type MailReaderOptions } from './isolated-mail-reader.js';
import { ReplyService } from './reply.service.js';

@Module({
  imports: [AccessModule, EntryModule, FileModule, ThreadModule],
  controllers: [controllerOf(InboundMailService)],
  providers: [
    { provide: INBOUND_MAIL_STORAGE, inject: [PROJECTS_CONFIG], useFactory: createInboundMailStorage },
    {
      provide: IsolatedMailReader,
      inject: [MAIL_READER_OPTIONS],
      useFactory: (options: MailReaderOptions) => new IsolatedMailReader(options),
    },
    ...[InboundMailMetrics, InboundMailRepository, InboundMailService, InboundMailWorker, ReplyService],
  ],
})
export class InboundMailModule {}
