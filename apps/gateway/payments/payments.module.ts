import { Module } from '@nestjs/common';
import { paymentOperations, providerOperations } from '#libs/contracts';
import { LimitsModule } from '../limits/limits.module.js';
import { relayControllerOf } from '../routing/serves.js';
import { notificationControllers } from './payment-notification.controllers.js';
import { PaymentNotificationReceiver } from './payment-notification.receiver.js';

@Module({
  imports: [LimitsModule],
  controllers: [
    ...providerOperations.map(relayControllerOf),
    relayControllerOf(paymentOperations),
    ...notificationControllers,
  ],
  providers: [PaymentNotificationReceiver],
})
export class PaymentsModule {}
