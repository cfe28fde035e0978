import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { MailModule } from '../mail/mail.module.js';
import { SiteModule } from '../site/site.module.js';
import { MailTextService } from './mail-text.service.js';

@Module({
  imports: [MailModule, SiteModule],
  controllers: [controllerOf(MailTextService)],
  providers: [MailTextService],
})
export class MailTextModule {}
