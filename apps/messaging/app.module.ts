import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, ListTotals } from '#libs/database';
import type { MessagingConfig } from './config.js';
import { messagingDatabase } from './database.js';
import { MessageController } from './message/message.controller.js';
import { MessageService } from './message/message.service.js';
import { PersonalDataController } from './personal-data/personal-data.controller.js';
import { PersonalDataService } from './personal-data/personal-data.service.js';
import { SubscriberController } from './subscriber/subscriber.controller.js';
import { SubscriberService } from './subscriber/subscriber.service.js';

@Module({})
export class AppModule {
  static forRoot(config: MessagingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [DatabaseModule.forRoot(messagingDatabase(config))],
      controllers: [MessageController, SubscriberController, PersonalDataController],
      providers: [ListTotals, MessageService, SubscriberService, PersonalDataService],
    };
  }
}
