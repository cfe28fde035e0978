import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DeletedModule } from '../deleted/deleted.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MessageRepository } from './message.repository.js';
import { MessageService } from './message.service.js';

@Module({
  imports: [DeletedModule, MailModule],
  controllers: [controllerOf(MessageService)],
  providers: [MessageRepository, MessageService],
  exports: [MessageRepository],
})
export class MessageModule {}
