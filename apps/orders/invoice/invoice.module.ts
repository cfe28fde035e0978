import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { InvoiceSettingsModule } from '../invoice-settings/invoice-settings.module.js';
import { InvoiceFileModule } from '../invoice-file/invoice-file.module.js';
import { InvoiceTaskModule } from '../invoice-task/invoice-task.module.js';
import { AccessModule } from '../access/access.module.js';
import { OrderModule } from '../order/order.module.js';
import { BillingClockModule } from '../payment/billing-clock.js';
import { SiteModule } from '../site/site.module.js';
import { SubscriptionModule } from '../subscription/subscription.module.js';
import { TaxModule } from '../tax/tax.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { InvoiceIssuingService } from './invoice-issuing.service.js';
import { InvoicePreviewService } from './invoice-preview.service.js';
import { InvoiceRepository } from './invoice.repository.js';
import { InvoiceSettingsService } from './invoice-settings.service.js';
import { InvoiceService } from './invoice.service.js';

@Module({
  imports: [
    AccessModule,
    InvoiceFileModule,
    InvoiceSettingsModule,
    InvoiceTaskModule,
    OrderModule,
    SubscriptionModule,
    TimelineModule,
    SiteModule,
    TaxModule,
    BillingClockModule,
  ],
  controllers: [InvoiceSettingsService, InvoiceService, InvoicePreviewService].map(controllerOf),
  providers: [
    InvoiceSettingsService,
    InvoiceRepository,
    InvoiceIssuingService,
    InvoiceService,
    InvoicePreviewService,
    repeatedWork(
      InvoiceIssuingService,
      1_000,
      (issuing) => issuing.issueDue(),
      'Issuing invoices and credit notes failed',
    ),
  ],
})
export class InvoiceModule {}
