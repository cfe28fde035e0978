import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import type { MessagingConfig } from './config.js';
import { messagingDatabase } from './database.js';

@Module({})
export class AppModule {
  static forRoot(config: MessagingConfig): DynamicModule {
    return { module: AppModule, imports: [DatabaseModule.forRoot(messagingDatabase(config))] };
  }
}
