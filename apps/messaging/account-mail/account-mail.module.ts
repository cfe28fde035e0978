import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { MailRequestService } from './mail-request.service.js';

@Module({
  imports: [MailModule, SiteModule],
  controllers: [controllerOf(MailRequestService)],
  providers: [MailRequestService],
})
export class AccountMailModule {}
