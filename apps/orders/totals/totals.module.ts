import { Module } from '@nestjs/common';
import { repeatedWork } from '#libs/platform';
import { controllerOf } from '#libs/transport';
import { OrderSalesService } from './order-sales.service.js';
import { OrderTotalsRepository } from './order-totals.repository.js';
import { OrderTotalsService } from './order-totals.service.js';

@Module({
  controllers: [controllerOf(OrderSalesService)],
  providers: [
    ...[OrderTotalsRepository, OrderTotalsService, OrderSalesService],
    // Every read of the totals also counts the changes that `fold` has not moved yet. Only the table `customers` depends on when `fold` runs.
    repeatedWork(
      OrderTotalsRepository,
      1000,
      (totals) => totals.fold(),
      'Moving changes into the totals of orders failed',
    ),
  ],
  exports: [OrderTotalsRepository, OrderTotalsService],
})
export class TotalsModule {}
