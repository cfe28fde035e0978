import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database';
import type { OrdersConfig } from './config.js';
import { ordersDatabase } from './database.js';
import { OrderChanges } from './order/order-changes.js';
import { PaypalEmailController } from './paypal-email/paypal-email.controller.js';
import { PaypalEmailService } from './paypal-email/paypal-email.service.js';
import { OrderTimeline } from './timeline/order-timeline.js';

@Module({})
export class AppModule {
  static forRoot(config: OrdersConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [DatabaseModule.forRoot(ordersDatabase(config))],
      controllers: [PaypalEmailController],
      providers: [OrderChanges, OrderTimeline, PaypalEmailService],
    };
  }
}
