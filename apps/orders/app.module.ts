import { type DynamicModule, Module } from '@nestjs/common';
import { auditController, DatabaseModule } from '#libs/database';
import { RpcModule } from '#libs/platform';
import type { OrdersConfig } from './config.js';
import { ConfigModule } from './config.module.js';
import { ordersDatabase } from './database.js';
import { BillingDetailsModule } from './billing-details/billing-details.module.js';
import { CustomerModule } from './customer/customer.module.js';
import { DemoDataModule } from './demo-data/demo-data.module.js';
import { DeletedAccountModule } from './deleted-account/deleted-account.module.js';
import { InvoiceModule } from './invoice/invoice.module.js';
import type { RenderingOptions } from './invoice-file/rendering-thread.js';
import { NoteModule } from './note/note.module.js';
import { OrderModule } from './order/order.module.js';
import { PaymentModule } from './payment/payment.module.js';
import { SubscriptionModule } from './subscription/subscription.module.js';

@Module({})
export class AppModule {
  static forRoot(config: OrdersConfig, rendering: RenderingOptions = {}): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ...[ConfigModule.forRoot(config, rendering), DatabaseModule.forRoot(ordersDatabase(config))],
        RpcModule.forRoot({ caller: 'orders', redisUrl: config.REDIS_URL }),
        ...[CustomerModule, OrderModule, NoteModule, PaymentModule, SubscriptionModule],
        ...[BillingDetailsModule, InvoiceModule],
        ...[DeletedAccountModule, DemoDataModule],
      ],
      controllers: [auditController('orders')],
    };
  }
}
