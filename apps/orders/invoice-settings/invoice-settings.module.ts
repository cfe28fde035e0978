import { Module } from '@nestjs/common';
import { InvoiceSettingsRepository } from './invoice-settings.repository.js';

/** Apart from the service that changes them, because placing an order needs them. */
@Module({ providers: [InvoiceSettingsRepository], exports: [InvoiceSettingsRepository] })
export class InvoiceSettingsModule {}
