import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { InvoiceFileModule } from '../invoice-file/invoice-file.module.js';
import { DemoDataService } from './demo-data.service.js';
import { DemoOrderRepository } from './demo-order.repository.js';

@Module({
  imports: [InvoiceFileModule],
  controllers: [controllerOf(DemoDataService)],
  providers: [DemoDataService, DemoOrderRepository],
})
export class DemoDataModule {}
