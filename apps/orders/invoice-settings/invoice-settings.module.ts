import { Module } from '@nestjs/common';
import { InvoiceSettingsRepository } from './invoice-settings.repository.js';

/** Apart from the service that changes the settings, because placing an order needs them, and issuing invoices needs orders. */
@Module({ providers: [InvoiceSettingsRepository], exports: [InvoiceSettingsRepository] })
export class InvoiceSettingsModule {}
