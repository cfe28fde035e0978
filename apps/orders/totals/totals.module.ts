import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { OrderSalesService } from './order-sales.service.js';
import { OrderTotalsRepository } from './order-totals.repository.js';
import { OrderTotalsService } from './order-totals.service.js';
import { OrderTotalsWorker } from './order-totals.worker.js';

@Module({
  controllers: [controllerOf(OrderSalesService)],
  providers: [OrderTotalsRepository, OrderTotalsService, OrderTotalsWorker, OrderSalesService],
  exports: [OrderTotalsService],
})
export class TotalsModule {}
