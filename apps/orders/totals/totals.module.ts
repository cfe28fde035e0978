import { Module } from '@nestjs/common';
import { repeated } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { OrderSalesService } from './order-sales.service.js';
import { OrderTotalsRepository } from './order-totals.repository.js';
import { OrderTotalsService } from './order-totals.service.js';

@Module({
  controllers: [controllerOf(OrderSalesService)],
  providers: [
    ...[OrderTotalsRepository, OrderTotalsService, OrderSalesService],
    // Reading totals adds what is not folded yet; only the list of customers depends on when this runs.
    repeated(OrderTotalsRepository, 1000, (totals) => totals.fold(), 'Folding the totals of orders failed'),
  ],
  exports: [OrderTotalsService],
})
export class TotalsModule {}
