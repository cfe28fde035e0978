import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DeletedRecordModule } from '../deleted/deleted-record.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MessageRepository } from './message.repository.js';
import { MessageService } from './message.service.js';

@Module({
  imports: [DeletedRecordModule, MailModule],
  controllers: [controllerOf(MessageService)],
  providers: [MessageRepository, MessageService],
  exports: [MessageRepository],
})
export class MessageModule {}
