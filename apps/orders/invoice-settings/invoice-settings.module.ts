import { Module } from '@nestjs/common';
import { InvoiceSettingsRepository } from './invoice-settings.repository.js';

/** A module of its own, without the service that changes the settings: placing an order needs the settings, and issuing invoices needs orders. */
@Module({ providers: [InvoiceSettingsRepository], exports: [InvoiceSettingsRepository] })
export class InvoiceSettingsModule {}
