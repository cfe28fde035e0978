import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import { LOGGER, type Logger, RpcModule } from '#libs/platform';
import { ContentFollower, RpcClient } from '#libs/transport';
import { AuditController } from './audit/audit.controller.js';
import { ORDERS_CONFIG, type OrdersConfig, paymentSettings, paypalOptions } from './config.js';
import { ordersDatabase } from './database.js';
import { DeletedAccountController } from './deleted-account/deleted-account.controller.js';
import { DeletedAccounts } from './deleted-account/deleted-accounts.js';
import { OrderChanges } from './order/order-changes.js';
import { OrderController } from './order/order.controller.js';
import { OrderList } from './order/order-list.js';
import { OrderPlacement } from './order/order-placement.js';
import { OrderService } from './order/order.service.js';
import { PaymentHolds } from './order/payment-holds.js';
import { PackageController } from './package/package.controller.js';
import { PackageOffers } from './package/package-offers.js';
import { PackageProjection } from './package/package-projection.js';
import { PaymentController } from './payment/payment.controller.js';
import { paymentProviders } from './payment/payment.providers.js';
import { DemoPaypalEmail } from './paypal-email/demo-paypal-email.js';
import { PaypalEmailController } from './paypal-email/paypal-email.controller.js';
import { PaypalEmailService } from './paypal-email/paypal-email.service.js';
import { OrderTimeline } from './timeline/order-timeline.js';
import { OrderSales } from './totals/order-sales.js';
import { OrderTotals } from './totals/order-totals.js';

@Module({})
export class AppModule {
  static forRoot(config: OrdersConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot(ordersDatabase(config)),
        RpcModule.forRoot({ caller: 'orders', redisUrl: config.REDIS_URL }),
      ],
      controllers: [
        ...[OrderController, PackageController, PaymentController, PaypalEmailController],
        ...[AuditController, DeletedAccountController],
      ],
      providers: [
        { provide: ORDERS_CONFIG, useValue: config },
        ...[OrderChanges, OrderList, OrderPlacement, OrderService, PaymentHolds],
        DeletedAccounts,
        ...[OrderTimeline, OrderTotals, OrderSales],
        ...[PackageOffers, PackageProjection],
        {
          provide: ContentFollower,
          inject: [RpcClient, PackageProjection, LOGGER],
          // A customer may be waiting for the answer.
          useFactory: (rpc: RpcClient, copy: PackageProjection, logger: Logger) =>
            new ContentFollower({ rpc, copy, deadlineMs: 1000, logger }),
        },
        ...[PaypalEmailService, DemoPaypalEmail],
        ...paymentProviders({ paypal: paypalOptions(config), settings: paymentSettings(config) }),
      ],
    };
  }
}
