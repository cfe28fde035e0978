import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { DeletedRecordModule } from '../deleted/deleted-record.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MessageModule } from '../message/message.module.js';
import { SubscriberModule } from '../subscriber/subscriber.module.js';
import { PersonalDataService } from './personal-data.service.js';

@Module({
  imports: [DeletedRecordModule, MailModule, MessageModule, SubscriberModule],
  controllers: [controllerOf(PersonalDataService)],
  providers: [PersonalDataService],
})
export class PersonalDataModule {}
