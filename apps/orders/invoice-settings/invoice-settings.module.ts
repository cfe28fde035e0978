import { Module } from '@nestjs/common';
import { InvoiceSettingsRepository } from './invoice-settings.repository.js';

/** Separate from `InvoiceModule` to avoid a cycle: placing an order needs the settings, and `InvoiceModule` needs orders. */
@Module({ providers: [InvoiceSettingsRepository], exports: [InvoiceSettingsRepository] })
export class InvoiceSettingsModule {}
