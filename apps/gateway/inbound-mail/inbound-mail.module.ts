import { Module } from '@nestjs/common';
import { INBOUND_MAIL_STORAGE, inboundMailStorage } from '#libs/file-storage';
import { GATEWAY_CONFIG } from '../config.js';
import { InboundMailController } from './inbound-mail.controller.js';
import { InboundMails } from './inbound-mails.js';

/** Mails that a provider has received for the reply addresses of projects. */
@Module({
  controllers: [InboundMailController],
  providers: [
    { provide: INBOUND_MAIL_STORAGE, inject: [GATEWAY_CONFIG], useFactory: inboundMailStorage },
    InboundMails,
  ],
})
export class InboundMailModule {}
