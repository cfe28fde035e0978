import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { AccountMailService } from './account-mail.service.js';

/** The mails about accounts, which identity and projects request. */
@Module({
  imports: [MailModule, SiteModule],
  controllers: [controllerOf(AccountMailService)],
  providers: [AccountMailService],
})
export class AccountMailModule {}
