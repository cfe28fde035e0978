import { type DynamicModule, Module } from '@nestjs/common';
import { MAIL_SETTINGS, mailSettingsOf, type MessagingConfig } from './config.js';

@Module({})
export class ConfigModule {
  static forRoot(config: MessagingConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: MAIL_SETTINGS, useValue: mailSettingsOf(config) }],
      exports: [MAIL_SETTINGS],
    };
  }
}
