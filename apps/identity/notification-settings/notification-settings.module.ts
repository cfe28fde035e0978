import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccountModule } from '../account/account.module.js';
import { NotificationSettingsRepository } from './notification-settings.repository.js';
import { NotificationSettingsService } from './notification-settings.service.js';

@Module({
  imports: [AccountModule],
  controllers: [controllerOf(NotificationSettingsService)],
  providers: [NotificationSettingsRepository, NotificationSettingsService],
})
export class NotificationSettingsModule {}
