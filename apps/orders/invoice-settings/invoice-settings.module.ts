import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { InvoiceSettingsRepository } from './invoice-settings.repository.js';
import { InvoiceSettingsService } from './invoice-settings.service.js';

@Module({
  controllers: [controllerOf(InvoiceSettingsService)],
  providers: [InvoiceSettingsRepository, InvoiceSettingsService],
  exports: [InvoiceSettingsRepository],
})
export class InvoiceSettingsModule {}
