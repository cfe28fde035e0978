import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailQueue } from './mail-queue.js';
import { MailRepository } from './mail.repository.js';
import { MailService } from './mail.service.js';

@Module({
  controllers: [controllerOf(MailService)],
  providers: [MailQueue, MailRepository, MailService],
  exports: [MailQueue, MailRepository],
})
export class MailModule {}
