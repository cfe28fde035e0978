import { Module } from '@nestjs/common';
import { RecipientLimits } from '#libs/database';
import { controllerOf } from '#libs/transport';
import { MailQueue } from './mail-queue.js';
import { MailRepository } from './mail.repository.js';
import { MailService } from './mail.service.js';
import { TestMailService } from './test-mail.service.js';

@Module({
  controllers: [controllerOf(MailService)],
  providers: [MailQueue, MailRepository, MailService, RecipientLimits, TestMailService],
  exports: [MailQueue, MailRepository, TestMailService],
})
export class MailModule {}
