import { Module } from '@nestjs/common';
import { controllerOf } from '#libs/transport';
import type { OrdersConfig } from '../config.js';
import { ORDERS_CONFIG } from '../config.module.js';
import { AccessModule } from '../access/access.module.js';
import { OrderModule } from '../order/order.module.js';
import { TimelineModule } from '../timeline/timeline.module.js';
import { BuyerCalls } from './attempt/buyer-calls.js';
import { PaymentAttemptRepository } from './attempt/payment-attempt.repository.js';
import { PaymentAttemptService } from './attempt/payment-attempt.service.js';
import { PaymentInquiryService } from './attempt/payment-inquiry.service.js';
import { PaymentInquiryWorker } from './attempt/payment-inquiry.worker.js';
import { PaymentReturnService } from './attempt/payment-return.service.js';
import { PaymentNotificationIntakeService } from './notification/payment-notification-intake.service.js';
import { PaymentNotificationProcessor } from './notification/payment-notification.processor.js';
import { PaymentNotificationRepository } from './notification/payment-notification.repository.js';
import { PaymentNotificationWorker } from './notification/payment-notification.worker.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import { PaymentLedgerService } from './payment-ledger.service.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentProvider } from './payment-provider.js';
import { PaymentProviders, providerRegistrations } from './payment-providers.js';
import { PaymentSetupService } from './payment-setup.service.js';
import { PAYMENT_SETTINGS, paymentSettings } from './payment-settings.js';
import { PaymentRefundRepository } from './refund/payment-refund.repository.js';
import { PaymentRefundService } from './refund/payment-refund.service.js';
import { PaymentRefundWorker } from './refund/payment-refund.worker.js';
import { PaymentReconciliationWorker } from './reconciliation/payment-reconciliation.worker.js';

@Module({
  imports: [AccessModule, OrderModule, TimelineModule, ...providerRegistrations.map(({ module }) => module)],
  controllers: [
    ...[PaymentAttemptService, PaymentReturnService, PaymentNotificationIntakeService, PaymentRefundService],
    PaymentSetupService,
  ].map(controllerOf),
  providers: [
    {
      provide: PAYMENT_SETTINGS,
      inject: [ORDERS_CONFIG],
      useFactory: (config: OrdersConfig) => paymentSettings(config),
    },
    {
      provide: PaymentProviders,
      inject: providerRegistrations.map(({ provider }) => provider),
      useFactory: (...providers: PaymentProvider[]) => new PaymentProviders(providers),
    },
    ...[PaymentAttemptRepository, PaymentAttemptService, PaymentReturnService],
    ...[BuyerCalls, PaymentInquiryService, PaymentInquiryWorker],
    ...[PaymentNotificationRepository, PaymentNotificationIntakeService],
    ...[PaymentNotificationProcessor, PaymentNotificationWorker],
    ...[PaymentRefundRepository, PaymentRefundService, PaymentRefundWorker],
    ...[PaymentEventRepository, PaymentLedgerService, PaymentMetrics, PaymentReconciliationWorker],
    PaymentSetupService,
  ],
  exports: [
    ...[BuyerCalls, PaymentAttemptRepository, PaymentInquiryService, PaymentProviders, PAYMENT_SETTINGS],
    ...[PaymentMetrics, PaymentNotificationProcessor, PaymentNotificationRepository],
    PaymentRefundRepository,
  ],
})
export class PaymentModule {}
