import { Module } from '@nestjs/common';
import { INBOUND_MAIL_STORAGE, createInboundMailStorage } from '#libs/file-storage';
import { GATEWAY_CONFIG } from '../config.js';
import { InboundMailController } from './inbound-mail.controller.js';
import { InboundMails } from './inbound-mails.js';

@Module({
  controllers: [InboundMailController],
  providers: [
    { provide: INBOUND_MAIL_STORAGE, inject: [GATEWAY_CONFIG], useFactory: createInboundMailStorage },
    InboundMails,
  ],
})
export class InboundMailModule {}
