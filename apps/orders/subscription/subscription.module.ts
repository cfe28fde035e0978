import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import type { OrdersConfig } from '../config.js';
import { ORDERS_CONFIG } from '../config.module.js';
import { AccessModule } from '../access/access.module.js';
import { BillingDetailsModule } from '../billing-details/billing-details.module.js';
import { OrderModule } from '../order/order.module.js';
import { PackageModule } from '../package/package.module.js';
import { BillingClockModule } from '../payment/billing-clock.js';
import { PaymentModule } from '../payment/payment.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { ChargeService } from './charge.service.js';
import { PlanChangeService } from './plan-change.service.js';
import { SubscriptionChangeService } from './subscription-change.service.js';
import { SubscriptionFiguresRepository } from './subscription-figures.repository.js';
import { SubscriptionFiguresService } from './subscription-figures.service.js';
import { SubscriptionInquiryService } from './subscription-inquiry.service.js';
import { SUBSCRIPTION_SETTINGS, subscriptionSettings } from './subscription-settings.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionService } from './subscription.service.js';
import { SubscriptionWorker } from './subscription.worker.js';
import { TimeMachineService } from './time-machine.service.js';

@Module({
  imports: [
    AccessModule,
    BillingDetailsModule,
    OrderModule,
    PackageModule,
    PaymentModule,
    TimelineModule,
    BillingClockModule,
  ],
  controllers: [SubscriptionService, PlanChangeService, SubscriptionFiguresService, TimeMachineService].map(
    controllerOf,
  ),
  providers: [
    {
      provide: SUBSCRIPTION_SETTINGS,
      inject: [ORDERS_CONFIG],
      useFactory: (config: OrdersConfig) => subscriptionSettings(config),
    },
    ...[SubscriptionRepository, SubscriptionFiguresRepository],
    ...[ChargeService, SubscriptionChangeService, SubscriptionInquiryService, SubscriptionWorker],
    ...[SubscriptionService, PlanChangeService, SubscriptionFiguresService, TimeMachineService],
  ],
  exports: [SubscriptionRepository, SubscriptionChangeService],
})
export class SubscriptionModule {}
