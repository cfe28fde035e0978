import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { AccountMailController } from './account-mail.controller.js';

/** The mails about accounts, which identity requests. */
@Module({ imports: [MailModule, SiteModule], controllers: [AccountMailController] })
export class AccountMailModule {}
