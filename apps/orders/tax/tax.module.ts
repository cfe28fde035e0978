import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { InvoiceSettingsModule } from '../invoice-settings/invoice-settings.module.js';
import { TaxService } from './tax.service.js';
import { VatIdCheckRepository } from './vat-id-check.repository.js';
import { VatIdService } from './vat-id.service.js';
import { VatIdWorker } from './vat-id.worker.js';
import { ViesClient } from './vies.client.js';

@Module({
  imports: [InvoiceSettingsModule],
  controllers: [controllerOf(VatIdService)],
  providers: [VatIdCheckRepository, ViesClient, VatIdService, VatIdWorker, TaxService],
  exports: [TaxService, VatIdService],
})
export class TaxModule {}
