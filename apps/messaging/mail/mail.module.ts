import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailQueue } from './mail-queue.js';
import { MailRepository } from './mail.repository.js';
import { MailService } from './mail.service.js';

/** The queue of outgoing mails, and the list of them. */
@Module({
  controllers: [controllerOf(MailService)],
  providers: [MailQueue, MailRepository, MailService],
  exports: [MailQueue, MailRepository],
})
export class MailModule {}
