import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { PackageModule } from '../package/package.module.js';
import { TaxModule } from '../tax/tax.module.js';
import { BillingDetailsRepository } from './billing-details.repository.js';
import { BillingDetailsService } from './billing-details.service.js';

@Module({
  imports: [PackageModule, TaxModule],
  controllers: [controllerOf(BillingDetailsService)],
  providers: [BillingDetailsRepository, BillingDetailsService],
  exports: [BillingDetailsRepository],
})
export class BillingDetailsModule {}
