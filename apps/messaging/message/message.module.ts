import { Module } from '@nestjs/common';
import { DeletedModule } from '../deleted/deleted.module.js';
import { MessageController } from './message.controller.js';
import { MessageRepository } from './message.repository.js';
import { MessageService } from './message.service.js';

/** Messages from the contact form. */
@Module({
  imports: [DeletedModule],
  controllers: [MessageController],
  providers: [MessageRepository, MessageService],
  exports: [MessageRepository],
})
export class MessageModule {}
