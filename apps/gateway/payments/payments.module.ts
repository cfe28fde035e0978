import { Module } from '@nestjs/common';
import { paymentOperations, providerOperations } from '#libs/contracts';
import { LimitsModule } from '../limits/limits.module.js';
import { relays } from '../routing/serves.js';
import { notificationControllers } from './payment-notification.controllers.js';
import { PaymentNotificationReceiver } from './payment-notification.receiver.js';

@Module({
  imports: [LimitsModule],
  controllers: [...providerOperations.map(relays), relays(paymentOperations), ...notificationControllers],
  providers: [PaymentNotificationReceiver],
})
export class PaymentsModule {}
