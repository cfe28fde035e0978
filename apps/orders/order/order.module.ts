import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import { AccessModule } from '../access/access.module.js';
import { InvoiceTaskModule } from '../invoice-task/invoice-task.module.js';
import { PackageModule } from '../package/package.module.js';
import { SiteModule } from '../site/site.module.js';
import { TaxModule } from '../tax/tax.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { TotalsModule } from '../totals/totals.module.js';
import { DeletedAccountRepository } from './deleted-account.repository.js';
import { OrderChangeService } from './order-change.service.js';
import { OrderListService } from './order-list.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { OrderRepository } from './order.repository.js';
import { OrderService } from './order.service.js';
import { OrderProjectService } from './order-project.service.js';
import { PaymentHoldRepository } from './payment-hold.repository.js';

@Module({
  imports: [
    AccessModule,
    InvoiceTaskModule,
    PackageModule,
    SiteModule,
    TaxModule,
    TimelineModule,
    TotalsModule,
  ],
  controllers: [OrderPlacementService, OrderListService, OrderProjectService, OrderService].map(controllerOf),
  providers: [
    ...[OrderRepository, PaymentHoldRepository, DeletedAccountRepository],
    ...[OrderChangeService, OrderListService, OrderPlacementService, OrderProjectService, OrderService],
  ],
  exports: [OrderRepository, PaymentHoldRepository, DeletedAccountRepository, OrderChangeService],
})
export class OrderModule {}
