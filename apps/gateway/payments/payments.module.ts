import { Module } from '@nestjs/common';
import { paymentOperations, paypalEmailOperations } from '#libs/contracts';
import { LimitsModule } from '../limits/limits.module.js';
import { relays } from '../routing/serves.js';
import { PaymentNotificationController } from './payment-notification.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [relays(paypalEmailOperations), relays(paymentOperations), PaymentNotificationController],
})
export class PaymentsModule {}
